package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.relay.control.BootId;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what the sidecar tells of inbound exchanges. Runs on the control thread. */
final class InboundNews {
    private static final int MOST = 4_096;
    private static final int LONGEST_RUN = 100;

    private final InboundExchanges inbound;
    private final OutgoingCalls outgoing;
    private final List<Upstream<?>> upstreams;
    private final String boot = BootId.read();

    InboundNews(InboundExchanges inbound, OutgoingCalls outgoing, List<Upstream<?>> upstreams) {
        this.inbound = inbound;
        this.outgoing = outgoing;
        this.upstreams = upstreams;
    }

    /** Answers {@code POST /v1/inbound}. */
    Reply take(Call call) {
        News news = read(call.body());
        inbound.told(news);
        upstreams.forEach(upstream -> upstream.journal().lookAgain());
        return Reply.json(OutgoingReport.spell(outgoing.told(news)));
    }

    private News read(byte[] body) {
        JsonNode message = JsonBody.object(body);
        JsonNode exchanges = message.path("exchanges");
        if (!exchanges.isArray() || exchanges.size() > MOST) {
            throw new IllegalArgumentException("exchanges: (expected: a list of at most " + MOST + ")");
        }
        List<News.Told> told = new ArrayList<>(exchanges.size());
        for (JsonNode exchange : exchanges) {
            told.add(new News.Told(
                    number(exchange, "id"),
                    number(exchange, "arrived"),
                    numberOrNull(exchange, "replied"),
                    numberOrNull(exchange, "handed"),
                    numberOrNull(exchange, "done"),
                    trace(exchange, "trace"),
                    trace(exchange, "debugTrace")));
        }
        return new News(
                run(message),
                !boot.isEmpty() && boot.equals(message.path("boot").asText()),
                number(message, "sent"),
                Math.max(0, number(message, "roundTrip")),
                number(message, "toldUntil"),
                number(message, "completeUntil"),
                told);
    }

    /** It is remembered. */
    private static String run(JsonNode message) {
        String run = message.path("run").asText();
        if (run.length() > LONGEST_RUN) {
            throw new IllegalArgumentException(
                    "run: " + run.length() + " characters (expected: at most " + LONGEST_RUN + ")");
        }
        return run;
    }

    private static long number(JsonNode node, String name) {
        Long number = numberOrNull(node, name);
        if (number == null) {
            throw new IllegalArgumentException(name + ": none (expected: a whole number)");
        }
        return number;
    }

    /** Times of a clock that has run for less than a century, so that sums of them stay in range. */
    private static @Nullable Long numberOrNull(JsonNode node, String name) {
        JsonNode number = node.path(name);
        if (number.isMissingNode() || number.isNull()) {
            return null;
        }
        if (!number.canConvertToLong()
                || !number.isIntegralNumber()
                || Math.abs(number.asLong()) > Long.MAX_VALUE / 3) {
            throw new IllegalArgumentException(name + ": (expected: a whole number)");
        }
        return number.asLong();
    }

    private static @Nullable TraceId trace(JsonNode node, String name) {
        return node.hasNonNull(name) ? TraceId.of(node.path(name).asText()) : null;
    }
}
