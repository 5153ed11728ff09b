package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.match.CallerNews;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Takes what the debug JVM's agent tells of its connections. Runs on the control thread. */
final class CallerRoute {
    private static final int MOST = 4_096;
    private static final int PORTS = 65_535;

    private final Consumer<CallerNews> callers;
    private final List<Upstream<?>> upstreams;

    CallerRoute(Consumer<CallerNews> callers, List<Upstream<?>> upstreams) {
        this.callers = callers;
        this.upstreams = upstreams;
    }

    /** Answers {@code POST /v1/callers} with the ports of which it is to be told. */
    Reply take(Call call) {
        callers.accept(read(call.body()));
        List<Integer> ports = upstreams.stream()
                .map(Upstream::debugAddress)
                .filter(InetSocketAddress.class::isInstance)
                .map(address -> ((InetSocketAddress) address).getPort())
                .toList();
        return Reply.json(Map.of("ports", ports));
    }

    private static CallerNews read(byte[] body) {
        JsonNode message = JsonBody.object(body);
        JsonNode calls = message.path("calls");
        if (!calls.isArray() || calls.size() > MOST) {
            throw new IllegalArgumentException("calls: (expected: a list of at most " + MOST + ")");
        }
        List<CallerNews.Write> writes = new ArrayList<>(calls.size());
        for (JsonNode write : calls) {
            writes.add(new CallerNews.Write(
                    port(write, "port"),
                    port(write, "to"),
                    NewsFields.number(write, "nanos"),
                    NewsFields.trace(write, "trace")));
        }
        return new CallerNews(
                NewsFields.run(message),
                NewsFields.sameClock(message),
                NewsFields.number(message, "sent"),
                Math.max(0, NewsFields.number(message, "roundTrip")),
                NewsFields.number(message, "toldUntil"),
                NewsFields.numberOrNull(message, "lostUntil"),
                writes);
    }

    private static int port(JsonNode write, String name) {
        long port = NewsFields.number(write, name);
        if (port < 1 || port > PORTS) {
            throw new IllegalArgumentException(name + ": " + port + " (expected: from 1 to " + PORTS + ")");
        }
        return (int) port;
    }
}
