package dev.understudy.session.trigger;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.session.trigger.RuleCondition.BodyText;
import dev.understudy.session.trigger.RuleCondition.ErrorShare;
import dev.understudy.session.trigger.RuleCondition.LatencyLimit;
import dev.understudy.session.trigger.RuleCondition.NewDivergence;
import dev.understudy.session.trigger.RuleCondition.Schedule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

final class RulesFileTest {
    private static final String ALL = """
            keep: 2m
            keep-bytes: 64MiB
            observe: 3m
            until-certain: true
            alerts: {listen: '127.0.0.1:0', token: 0123456789abcdef}
            outcome: {folder: /tmp/outcomes, webhook: 'http://127.0.0.1:1/hook', otlp: 'http://127.0.0.1:4318'}
            rules:
              - {name: alarm, alert: HighErrors}
              - {name: errors, errors: 5%, within: 30s, least: 50, cool-down: 1h, per-day: 2}
              - {name: slow, latency: p99.5, above: 250ms}
              - {name: gone, status: 503, least: 3}
              - {name: empty, reply: pool exhausted}
              - {name: logged, log: /var/log/shop.log, line: OutOfMemoryError}
              - {name: night, at: '03:00'}
              - {name: novel, divergence: 'http://127.0.0.1:9090', token: fedcba9876543210, least: 2}
              - {name: often, every: 6h}
            """;

    @Test
    void everyKind_isRead() {
        WatchRules rules = RulesFile.read("rules.yaml", ALL);

        assertThat(rules.rules()).hasSize(9);
        TriggerRule errors = rules.rules().get(1);
        assertThat(errors.condition()).isEqualTo(new ErrorShare(0.05, 50));
        assertThat(errors.within()).isEqualTo(Duration.ofSeconds(30));
        assertThat(errors.coolDown()).isEqualTo(Duration.ofHours(1));
        assertThat(errors.perDay()).isEqualTo(2);
        assertThat(rules.rules().get(2).condition()).isEqualTo(new LatencyLimit(99.5, Duration.ofMillis(250), 20));
        assertThat(rules.rules().get(4).condition()).isEqualTo(new BodyText("pool exhausted", 1));
        assertThat(rules.rules().get(7).condition())
                .isEqualTo(new NewDivergence(URI.create("http://127.0.0.1:9090"), "fedcba9876543210", 2))
                .asString()
                .doesNotContain("fedcba9876543210");
        assertThat(rules.rules().get(8).condition()).isEqualTo(new Schedule(null, Duration.ofHours(6)));
        assertThat(rules.recording().fileTime()).isEqualTo(Duration.ofSeconds(24));
        assertThat(rules.outcome().webhook()).hasToString("http://127.0.0.1:1/hook");
        assertThat(rules.alerts()).asString().doesNotContain("0123456789abcdef");
    }

    @Test
    void theGuidesFile_isRight() throws Exception {
        String guide = Files.readString(Path.of("../../docs/guides/triggers.md"));
        String shown = guide.substring(guide.indexOf("```yaml") + "```yaml".length());

        WatchRules rules = RulesFile.read("rules.yaml", shown.substring(0, shown.indexOf("```")));

        assertThat(rules.rules()).extracting(TriggerRule::name).contains("alarm", "errors", "slow", "memory", "night");
    }

    @Test
    void allThatIsWrong_isSaidAtOnce_withItsPlace() {
        List<String> problems = problems("""
                kept: 2m
                rules:
                  - {name: a, errors: 0%}
                  - {name: b, errors: 5%, status: 500}
                  - {name: c}
                  - {name: d, latency: 99, above: 1s}
                  - {name: e, at: noon}
                  - {name: f, status: 42}
                  - {name: g, divergence: 127.0.0.1}
                  - {name: h, divergence: ''}
                """);

        assertThat(problems)
                .anyMatch(line -> line.startsWith("rules.yaml:1:1: kept: unknown key"))
                .anyMatch(line -> line.startsWith("rules.yaml:3:") && line.contains("0% (expected: a share above 0%"))
                .anyMatch(line -> line.startsWith("rules.yaml:4:") && line.contains("errors and status"))
                .anyMatch(line -> line.startsWith("rules.yaml:5:") && line.contains("nothing to wait for"))
                .anyMatch(line -> line.startsWith("rules.yaml:6:") && line.contains("99 (expected: a percentile"))
                .anyMatch(line -> line.startsWith("rules.yaml:7:") && line.contains("noon (expected: a time"))
                .anyMatch(line -> line.startsWith("rules.yaml:8:") && line.contains("42 (expected: 100 to 599)"))
                .anyMatch(line ->
                        line.startsWith("rules.yaml:9:") && line.contains("(expected: a sidecar's control port"))
                .anyMatch(line -> line.startsWith("rules.yaml:10:"));
    }

    @Test
    void rules_areNamedOnce_areFew_andWaitForAlertsOnlyWhereTheseArrive() {
        assertThat(problems("rules: [{name: a, status: 500}, {name: a, status: 501}]"))
                .anyMatch(line -> line.contains("two are named a"));
        assertThat(problems("rules: [{name: a, alert: x}]")).anyMatch(line -> line.contains("a section alerts"));
        assertThat(problems("rules: []")).anyMatch(line -> line.contains("0 (expected: 1 to 60)"));
        assertThat(problems("rules:\n" + "- {name: x, status: 500}\n".repeat(61)))
                .anyMatch(line -> line.contains("61 (expected: 1 to 60)"));
        assertThat(problems("rules: [{name: a, status: 500}]\nalerts: {listen: '127.0.0.1:0', token: short}"))
                .anyMatch(line -> line.contains("at least 16"))
                .noneMatch(line -> line.contains("short"));
        assertThat(problems("rules: [{name: a, status: 500, within: 2h}]"))
                .anyMatch(line -> line.contains("at most 1h"));
    }

    @Test
    void files_areOfALimitedSize(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("rules.yaml"), "# ".repeat(1 << 20));

        assertThatThrownBy(() -> RulesFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1 MiB");
        assertThatThrownBy(() -> RulesFile.read(folder.resolve("none.yaml"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void damagedFiles_areProblems_andNothingElse() {
        Random random = new Random(29);
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder(ALL);
            for (int n = random.nextInt(4); n >= 0; n--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
                    case 1 -> text.deleteCharAt(at);
                    default -> text.insert(at, "{[:-'\"&*!|>%@`\n".charAt(random.nextInt(15)));
                }
            }
            try {
                RulesFile.read("rules.yaml", text.toString());
            } catch (ConfigException wrong) {
                assertThat(wrong.problems()).as("round " + round).isNotEmpty();
            }
        }
    }

    private static List<String> problems(String text) {
        return catchThrowableOfType(ConfigException.class, () -> RulesFile.read("rules.yaml", text))
                .problems();
    }
}
