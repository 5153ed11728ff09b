package dev.understudy.session.trigger;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.session.outcome.OutcomeSettings;
import dev.understudy.session.program.RecordingLimits;
import dev.understudy.session.trigger.RuleCondition.AlertName;
import dev.understudy.session.trigger.RuleCondition.BodyText;
import dev.understudy.session.trigger.RuleCondition.ErrorShare;
import dev.understudy.session.trigger.RuleCondition.LatencyLimit;
import dev.understudy.session.trigger.RuleCondition.LogRate;
import dev.understudy.session.trigger.RuleCondition.NewDivergence;
import dev.understudy.session.trigger.RuleCondition.Schedule;
import dev.understudy.session.trigger.RuleCondition.StatusCount;
import dev.understudy.session.trigger.WatchRules.AlertSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a file of rules. All that is wrong with it is reported at once, each with line and column. */
public final class RulesFile {
    private static final long LARGEST = 1 << 20;
    private static final int MOST = 1_000_000;
    private static final int ENOUGH = 20;
    private static final long MEBIBYTE = 1 << 20;
    private static final List<String> KINDS =
            List.of("alert", "errors", "latency", "status", "reply", "log", "divergence", "at", "every");
    private static final TriggerRule NOTHING = new TriggerRule("", new AlertName("*"), Duration.ZERO, Duration.ZERO, 1);
    private static final WatchRules NO_RULES = new WatchRules(
            new RecordingLimits(Duration.ofMinutes(5), 256 * MEBIBYTE),
            Duration.ofMinutes(5),
            true,
            new AlertSettings(new InetSocketAddress(0), "0123456789abcdef"),
            OutcomeSettings.NONE,
            List.of(NOTHING));

    private RulesFile() {}

    /**
     * Reads it.
     *
     * @throws ConfigException with all that is wrong
     */
    public static WatchRules read(Path file) {
        Problems problems = new Problems();
        try {
            if (Files.size(file) > LARGEST) {
                problems.add(file.toString(), "larger than 1 MiB");
                problems.throwIfAny();
            }
        } catch (IOException missing) {
            // said below, too
        }
        return YamlFile.read(file, new Overrides(Map.of(), List.of(), problems), problems, RulesFile::top);
    }

    /**
     * Reads a text.
     *
     * @param name stands for the file's name in problems
     * @throws ConfigException with all that is wrong
     */
    public static WatchRules read(String name, String text) {
        return YamlFile.read(name, text, RulesFile::top);
    }

    private static WatchRules top(Section top) {
        return top.build(
                file -> new WatchRules(
                        file.build(
                                keep -> new RecordingLimits(
                                        keep.optional("keep", Value.duration(), Duration.ofMinutes(5)),
                                        keep.optional("keep-bytes", Value.bytes(), 256 * MEBIBYTE)),
                                NO_RULES.recording()),
                        file.optional("observe", Value.duration(), Duration.ofMinutes(5)),
                        file.optional("until-certain", Value.flag(), true),
                        file.has("alerts") ? alerts(file.section("alerts")) : null,
                        outcome(file.section("outcome")),
                        file.sections("rules").stream()
                                .map(rule -> rule.build(RulesFile::rule, NOTHING))
                                .toList()),
                NO_RULES);
    }

    private static AlertSettings alerts(Section section) {
        return section.build(
                alerts -> new AlertSettings(
                        alerts.required("listen", Value.address()), alerts.required("token", Value.text())),
                new AlertSettings(new InetSocketAddress(0), "0123456789abcdef"));
    }

    private static OutcomeSettings outcome(Section outcome) {
        String folder = outcome.optional("folder", Value.anyText(), "");
        return new OutcomeSettings(
                folder.isEmpty() ? null : Path.of(folder).toAbsolutePath(),
                uri(outcome.optional("webhook", Value.httpUrlOrEmpty(), "")),
                uri(outcome.optional("otlp", Value.httpUrlOrEmpty(), "")));
    }

    private static @Nullable URI uri(String text) {
        return text.isEmpty() ? null : URI.create(text);
    }

    private static TriggerRule rule(Section rule) {
        return new TriggerRule(
                rule.required("name", Value.text()),
                condition(rule),
                rule.optional("within", Value.duration(), Duration.ofMinutes(1)),
                rule.optional("cool-down", Value.duration(), Duration.ofMinutes(30)),
                rule.optional("per-day", Value.integer(1, 1_000), 3));
    }

    private static RuleCondition condition(Section rule) {
        List<String> kinds = KINDS.stream().filter(rule::has).toList();
        if (kinds.size() != 1) {
            throw new IllegalArgumentException((kinds.isEmpty() ? "nothing to wait for" : String.join(" and ", kinds))
                    + " (expected: one of " + String.join(", ", KINDS) + ")");
        }
        return switch (kinds.get(0)) {
            case "alert" -> new AlertName(rule.required("alert", Value.text()));
            case "errors" -> new ErrorShare(rule.required("errors", share()), least(rule, ENOUGH));
            case "latency" ->
                new LatencyLimit(
                        rule.required("latency", percentile()),
                        rule.required("above", Value.duration()),
                        least(rule, ENOUGH));
            case "status" -> new StatusCount(rule.required("status", Value.integer(100, 599)), least(rule, 1));
            case "reply" -> new BodyText(rule.required("reply", Value.text()), least(rule, 1));
            case "log" ->
                new LogRate(
                        Path.of(rule.required("log", Value.text())).toAbsolutePath(),
                        rule.required("line", Value.text()),
                        least(rule, 1));
            case "divergence" ->
                new NewDivergence(
                        URI.create(rule.required("divergence", httpUrl())),
                        rule.optional("token", Value.anyText(), ""),
                        least(rule, 1));
            case "at" -> new Schedule(rule.required("at", time()), null);
            default -> new Schedule(null, rule.required("every", Value.duration()));
        };
    }

    private static Value<String> httpUrl() {
        return new Value<>(
                "a sidecar's control port such as http://127.0.0.1:9090",
                raw -> {
                    if (raw.isEmpty()) {
                        throw new IllegalArgumentException(raw);
                    }
                    return Value.httpUrlOrEmpty().parse().apply(raw);
                },
                "http://127.0.0.1:9090");
    }

    private static int least(Section rule, int otherwise) {
        return rule.optional("least", Value.integer(1, MOST), otherwise);
    }

    private static Value<Double> share() {
        return new Value<>("a share above 0%, such as 5%", raw -> number(raw, "", "%", 100) / 100, 1.0);
    }

    private static Value<Double> percentile() {
        return new Value<>("a percentile such as p99", raw -> number(raw, "p", "", 100), 99.0);
    }

    private static double number(String raw, String before, String behind, double most) {
        boolean isFramed = raw.startsWith(before) && raw.endsWith(behind);
        double number =
                isFramed ? Double.parseDouble(raw.substring(before.length(), raw.length() - behind.length())) : 0;
        if (!(number > 0 && number <= most)) {
            throw new IllegalArgumentException(raw);
        }
        return number;
    }

    private static Value<LocalTime> time() {
        return new Value<>(
                "a time of the day such as \"03:00\"",
                raw -> {
                    try {
                        return LocalTime.parse(raw);
                    } catch (java.time.DateTimeException wrong) {
                        throw new IllegalArgumentException(raw, wrong);
                    }
                },
                LocalTime.MIDNIGHT);
    }
}
