package dev.understudy.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.testing.client.ExchangeVerdict;
import dev.understudy.testing.client.ValueDifference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What came of replaying a bundle.
 *
 * @param exchanges by connection and request, numbered from 1: at most 10,000 that are as recorded, and 10,000 others;
 *     production's values are the recorded ones
 * @param verdicts how many exchanges got each, of all
 * @param failures connections that couldn't be replayed to their end, and a recording that is torn
 * @param isFaithful whether each upstream was asked and each call got a recorded reply; if not, the service's replies
 *     prove little
 * @param notes what else is to be known, such as calls without a recorded reply
 * @param folder has the logs
 */
public record BundleResult(
        List<ExchangeVerdict> exchanges,
        Map<String, Long> verdicts,
        List<String> failures,
        boolean isFaithful,
        List<String> notes,
        Path folder) {
    /** The rules that a replay can break; the others need a production that runs. */
    public static final Set<FailureRule> RULES =
            Set.of(FailureRule.DIFFERENT, FailureRule.NOT_COMPARED, FailureRule.NOTHING, FailureRule.MISSED);

    public BundleResult {
        exchanges = List.copyOf(exchanges);
        verdicts = Map.copyOf(verdicts);
        failures = List.copyOf(failures);
        notes = List.copyOf(notes);
    }

    static BundleResult of(JsonNode report, Path folder) {
        List<ExchangeVerdict> exchanges = new ArrayList<>();
        for (JsonNode each : report.path("exchanges")) {
            exchanges.add(exchange(exchanges.size() + 1L, each));
        }
        Map<String, Long> verdicts = new LinkedHashMap<>();
        report.path("verdicts")
                .properties()
                .forEach(kind -> verdicts.put(kind.getKey(), kind.getValue().asLong()));
        List<String> failures = texts(report.path("failures"));
        String torn = text(report.path("torn"));
        if (torn != null) {
            failures.add("the recording is torn: " + torn);
        }
        return new BundleResult(
                exchanges,
                verdicts,
                failures,
                report.path("faithful").asBoolean(),
                texts(report.path("notes")),
                folder);
    }

    private static ExchangeVerdict exchange(long number, JsonNode each) {
        List<ValueDifference> differences = new ArrayList<>();
        for (JsonNode place : each.path("differences")) {
            differences.add(new ValueDifference(
                    place.path("path").asText(),
                    place.path("type").asText(),
                    text(place.path("recorded")),
                    text(place.path("replayed"))));
        }
        String request = each.path("request").asText();
        return new ExchangeVerdict(
                number,
                request.isEmpty() ? "connection " + each.path("connection").asLong() : request,
                each.path("verdict").asText(),
                text(each.path("reason")),
                differences,
                List.of());
    }

    private static @Nullable String text(JsonNode value) {
        return value.isTextual() ? value.asText() : null;
    }

    private static List<String> texts(JsonNode values) {
        List<String> texts = new ArrayList<>();
        values.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    /**
     * Throws if a rule is broken.
     *
     * @param rules those that count; {@link #RULES} if none is given
     * @throws AssertionError with all findings
     */
    public void check(FailureRule... rules) {
        check(rules.length == 0 ? RULES : Set.copyOf(List.of(rules)));
    }

    /**
     * The same, where no rule may be meant.
     *
     * @throws AssertionError with all findings
     */
    public void check(Set<FailureRule> rules) {
        List<String> problems = problems(rules);
        for (ExchangeVerdict exchange : exchanges) {
            if (breaks(exchange, rules)) {
                problems.addAll(told(exchange));
            }
        }
        require(problems);
    }

    /**
     * The same rules, each once.
     *
     * @throws IllegalArgumentException if one isn't among {@link #RULES}
     */
    public static Set<FailureRule> rules(Collection<FailureRule> rules) {
        if (!RULES.containsAll(rules)) {
            throw new IllegalArgumentException("rules: " + rules + " (expected: some of "
                    + RULES.stream().sorted().toList() + ")");
        }
        return new HashSet<>(rules);
    }

    /** Throws if there is any problem. */
    public void require(List<String> problems) {
        FailureText.require("the service doesn't answer as recorded", problems, "logs and report: " + folder);
    }

    /** An exchange's verdict in words. */
    public static List<String> told(ExchangeVerdict exchange) {
        List<String> problems = new ArrayList<>();
        FailureText.verdicts(List.of(exchange), problems);
        return problems;
    }

    /** Whether an exchange's verdict breaks one of the rules. */
    public static boolean breaks(ExchangeVerdict exchange, Set<FailureRule> rules) {
        return rules.stream().anyMatch(rule -> rule.name().equals(exchange.kind()));
    }

    /**
     * What breaks a rule as a whole, and not in one of the {@link #exchanges}: a paragraph for each.
     *
     * @throws IllegalArgumentException if one isn't among {@link #RULES}
     */
    public List<String> problems(Set<FailureRule> rules) {
        rules(rules);
        List<String> problems = new ArrayList<>();
        failures.forEach(failure -> problems.add("FAILED  " + failure));
        if (rules.contains(FailureRule.MISSED) && !isFaithful) {
            problems.add("MISSED  " + String.join("\n    ", notes));
        }
        long compared = all() - verdicts.getOrDefault("NOT_COMPARED", 0L);
        if (rules.contains(FailureRule.NOTHING) && compared == 0) {
            problems.add("NOTHING  no recorded reply was compared");
        }
        if (all() > exchanges.size()) {
            for (FailureRule rule : rules) {
                long told = exchanges.stream()
                        .filter(exchange -> breaks(exchange, Set.of(rule)))
                        .count();
                long more = verdicts.getOrDefault(rule.name(), 0L) - told;
                if (more > 0) {
                    problems.add(rule + "  " + more + " times after the first " + exchanges.size() + " exchanges");
                }
            }
        }
        return problems;
    }

    private long all() {
        return verdicts.values().stream().mapToLong(Long::longValue).sum();
    }
}
