package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.divergence.content.WordFilter;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes what the sidecar tells of inbound exchanges. Runs on the control thread. */
final class InboundNews {
    private static final int MOST = 4_096;
    private static final int MOST_RERUNS = 64;

    private final InboundExchanges inbound;
    private final OutgoingCalls outgoing;
    private final List<Upstream<?>> upstreams;

    InboundNews(InboundExchanges inbound, OutgoingCalls outgoing, List<Upstream<?>> upstreams) {
        this.inbound = inbound;
        this.outgoing = outgoing;
        this.upstreams = upstreams;
    }

    /** Answers {@code POST /v1/inbound}. */
    Reply take(Call call) {
        News news = read(call.body());
        inbound.told(news);
        for (Upstream<?> upstream : upstreams) {
            upstream.journal().lookAgain();
            upstream.journal().keep(news.kept());
        }
        Map<String, Object> answer = new LinkedHashMap<>(OutgoingReport.spell(outgoing.told(news)));
        if (inbound.wantsValues()) {
            answer.put("values", true);
        }
        return Reply.json(answer);
    }

    private static News read(byte[] body) {
        JsonNode message = JsonBody.object(body);
        JsonNode exchanges = message.path("exchanges");
        if (!exchanges.isArray() || exchanges.size() > MOST) {
            throw new IllegalArgumentException("exchanges: (expected: a list of at most " + MOST + ")");
        }
        List<News.Told> told = new ArrayList<>(exchanges.size());
        for (JsonNode exchange : exchanges) {
            told.add(new News.Told(
                    NewsFields.number(exchange, "id"),
                    NewsFields.number(exchange, "arrived"),
                    NewsFields.numberOrNull(exchange, "replied"),
                    NewsFields.numberOrNull(exchange, "handed"),
                    NewsFields.numberOrNull(exchange, "done"),
                    NewsFields.trace(exchange, "trace"),
                    NewsFields.trace(exchange, "debugTrace"),
                    exchange.hasNonNull("shown")
                            ? WordFilter.decode(exchange.path("shown").asText())
                            : null));
        }
        return new News(
                NewsFields.run(message),
                NewsFields.sameClock(message),
                NewsFields.number(message, "sent"),
                Math.max(0, NewsFields.number(message, "roundTrip")),
                NewsFields.number(message, "toldUntil"),
                NewsFields.number(message, "completeUntil"),
                told,
                reruns(message),
                kept(message));
    }

    private static List<Long> kept(JsonNode message) {
        JsonNode numbers = message.path("kept");
        if (numbers.size() > MOST) {
            throw new IllegalArgumentException("kept: (expected: a list of at most " + MOST + ")");
        }
        List<Long> kept = new ArrayList<>(numbers.size());
        for (JsonNode number : numbers) {
            if (!number.isIntegralNumber() || !number.canConvertToLong()) {
                throw new IllegalArgumentException("kept: (expected: whole numbers)");
            }
            kept.add(number.asLong());
        }
        return kept;
    }

    private static List<News.Again> reruns(JsonNode message) {
        JsonNode reruns = message.path("reruns");
        if (reruns.size() > MOST_RERUNS) {
            throw new IllegalArgumentException("reruns: (expected: a list of at most " + MOST_RERUNS + ")");
        }
        List<News.Again> told = new ArrayList<>(reruns.size());
        for (JsonNode rerun : reruns) {
            TraceId trace = NewsFields.trace(rerun, "trace");
            if (trace == null) {
                throw new IllegalArgumentException("reruns: trace (expected: 32 hexadecimal digits)");
            }
            told.add(new News.Again(
                    trace,
                    NewsFields.number(rerun, "exchange"),
                    rerun.path("alone").asBoolean(),
                    rerun.path("over").asBoolean()));
        }
        return told;
    }
}
