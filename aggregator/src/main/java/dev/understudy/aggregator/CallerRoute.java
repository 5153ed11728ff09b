package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.match.CallerNews;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Takes what the debug JVM's agent tells of its connections. Runs on the control thread. */
final class CallerRoute {
    private static final int MOST = 4_096;
    private static final int PORTS = 65_535;

    private final Consumer<CallerNews> callers;
    private final Map<String, List<Integer>> ports;

    /**
     * One for these upstreams.
     *
     * @param dialled the ports that the debug JVM dials, one for each
     * @param listening those at which it is answered here, one for each
     */
    CallerRoute(Consumer<CallerNews> callers, List<Integer> dialled, List<Integer> listening) {
        this.callers = callers;
        this.ports = new TreeMap<>(Map.of(
                "ports",
                ofOneUpstream(dialled),
                "debugPorts",
                listening.stream().distinct().toList()));
    }

    /** Two connections to one port of two addresses can have the same port at the other end, too. */
    private static List<Integer> ofOneUpstream(List<Integer> dialled) {
        return dialled.stream()
                .filter(port -> Collections.frequency(dialled, port) == 1)
                .toList();
    }

    /** Answers {@code POST /v1/callers} with the ports of which it is to be told, and those where it is answered. */
    Reply take(Call call) {
        callers.accept(read(call.body()));
        return Reply.json(ports);
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
