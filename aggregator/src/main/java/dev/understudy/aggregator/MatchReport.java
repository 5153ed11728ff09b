package dev.understudy.aggregator;

import dev.understudy.aggregator.journal.Reason;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.replay.CallTally;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells of the latest matches, and explains one. */
final class MatchReport {
    private final Matches matches;
    private final Map<String, String> rules;

    /** @param rules by the upstream's name, what counts for its forms; those that have no such rule are left out */
    MatchReport(Matches matches, Map<String, String> rules) {
        this.matches = matches;
        this.rules = Map.copyOf(rules);
    }

    /** Answers {@code GET /v1/matches}. */
    Reply latest(Call call) {
        String outcome = call.parameter("outcome", "");
        boolean guessedOnly = call.parameter("ambiguous", "false").equals("true");
        List<Map<String, Object>> latest = matches.latest(Integer.MAX_VALUE).stream()
                .filter(match -> outcome.isEmpty() || match.outcome().name().equals(outcome))
                .filter(match -> !guessedOnly || guessed(match))
                .limit(call.number("limit", 10, 1, 1000))
                .map(this::read)
                .toList();
        return Reply.json(Map.of("matches", latest, "kinds", kinds(matches.kinds(), call, Matches.Matched::id)));
    }

    /** The most frequent kinds of calls of the whole run, with their newest examples. */
    static <E> List<Map<String, Object>> kinds(CallTally<E> tally, Call call, Function<E, Object> example) {
        return tally.most(call.number("kinds", 100, 0, 2000)).stream()
                .map(counted -> {
                    Map<String, Object> read = new LinkedHashMap<>();
                    read.put("upstream", counted.kind().upstream());
                    read.put("form", counted.kind().form());
                    read.put("outcome", counted.kind().outcome());
                    read.put("why", counted.kind().why());
                    read.put("count", counted.count());
                    read.put("first", counted.first().toString());
                    read.put("last", counted.last().toString());
                    read.put(
                            "examples", counted.examples().stream().map(example).toList());
                    return read;
                })
                .toList();
    }

    /** Answers {@code GET /v1/matches/{id}}. */
    Reply one(Call call) {
        Matches.Matched match = matches.get(number(call.captured("id")));
        return match == null
                ? Reply.problem(404, "Not found", "match " + call.captured("id") + " isn't kept, or not made yet")
                : Reply.json(read(match));
    }

    private static boolean guessed(Matches.Matched match) {
        Reason reason = match.reason();
        return reason != null && reason.guessed();
    }

    private static long number(String id) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("id: " + id + " (expected: a match's number)", none);
        }
    }

    private Map<String, Object> read(Matches.Matched match) {
        Map<String, Object> read = new LinkedHashMap<>();
        read.put("id", match.id());
        read.put("at", match.at().toString());
        read.put("upstream", match.upstream());
        read.put("form", match.form().text());
        put(read, "rule", rules.get(match.upstream()));
        TraceId trace = match.form().trace();
        put(read, "trace", trace == null ? null : trace.toString());
        read.put("outcome", match.outcome().name());
        read.put("waitMillis", Math.round(match.waitedNanos() / 1e3) / 1e3);
        Reason reason = match.reason();
        if (reason != null) {
            read.put("by", reason.basis().name());
            read.put("ambiguous", reason.guessed());
            read.put("candidates", reason.candidates());
            put(read, "inbound", reason.inbound());
        }
        put(read, "recorded", match.recorded() == null ? null : recorded(match.recorded()));
        put(read, "why", match.why());
        put(read, "stub", match.stub());
        if (!match.faults().isEmpty()) {
            read.put("faults", match.faults());
        }
        if (match.outcome() == Matches.Outcome.MISSED) {
            read.put("nearest", match.nearest().stream().map(MatchReport::near).toList());
        }
        return read;
    }

    private static Map<String, Object> recorded(Matches.Source source) {
        Map<String, Object> recorded = new LinkedHashMap<>();
        recorded.put("exchange", source.id());
        recorded.put("connection", source.connection());
        put(recorded, "trace", source.trace());
        return recorded;
    }

    private static Map<String, Object> near(Matches.Near near) {
        return Map.of(
                "form", near.form(), "asked", near.asked(), "recorded", near.recorded(), "differs", near.differs());
    }

    private static void put(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }
}
