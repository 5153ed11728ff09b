package dev.understudy.agent;

import dev.understudy.agent.export.ShownSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class SettingOrderTest {
    private final AgentConfig started = AgentConfig.of(
            "debug=true,budget=0.5,token=s3cret,sidecar=http://me:pw@host:1", Map.of("UNDERSTUDY_AGENT_DEEP", "3"));
    private final List<AgentConfig> changes = new ArrayList<>();
    private final SettingOrder order = new SettingOrder(started, (before, now) -> {
        changes.add(before);
        changes.add(now);
        return now.allocations() > 0 ? List.of("this JVM can't") : List.of();
    });

    @Test
    void whatIsOrdered_holdsUntilItIsNotAnyMore() {
        assertThat(order.bring(Map.of("budget", 0.1, "leaks", "5s"))).isEmpty();
        assertThat(changes.get(0).budget()).isEqualTo(0.5);
        assertThat(changes.get(1).budget()).isEqualTo(0.1);
        assertThat(changes.get(1).leaks()).hasSeconds(5);
        assertThat(changes.get(1).deep()).isEqualTo(3);
        assertThat(order.standing()).contains("budget=0.1", "leaks=5s");

        assertThat(order.bring(Map.of("leaks", "5s"))).isEmpty();
        assertThat(changes.get(3).budget()).as("as it was started").isEqualTo(0.5);
        assertThat(order.bring(Map.of())).isEmpty();
        assertThat(changes.get(5).leaks()).isZero();
        assertThat(order.standing()).isEqualTo("as started");
    }

    @Test
    void whatIsWrong_isAProblem_andTheOthersHold() {
        Map<String, Object> wanted = new HashMap<>(Map.of(
                "budget",
                -1,
                "bugdet",
                "1",
                "cache",
                "/tmp",
                "sampling",
                List.of(1),
                "quota",
                "often",
                "stacks",
                Map.of(),
                "values",
                true,
                "deep",
                5));
        wanted.put("x".repeat(9999), "1");
        List<String> problems = order.bring(wanted);

        assertThat(problems)
                .hasSize(8)
                .allMatch(problem -> problem.length() < 300)
                .contains(
                        "budget: -1 (expected: cores, 0 to 64)",
                        "bugdet: unknown (did you mean budget?)",
                        "cache: can't be changed while the JVM runs (expected: one of "
                                + "budget, lag, sampling, quota, stacks,"
                                + " leaks, deep, values, measure, allocations, redact; else "
                                + "start the JVM anew with cache=…)");
        assertThat(changes.get(1).deep()).isEqualTo(5);
        assertThat(changes.get(1).budget()).isEqualTo(0.5);
        assertThat(order.standing()).isEqualTo("deep=5");
    }

    @Test
    void whatClassesAreWovenBy_saysSo_andTheWayOut() {
        for (String name : List.of("locks", "clock", "executors", "packages")) {
            assertThat(order.bring(Map.of(name, "off")))
                    .singleElement()
                    .asString()
                    .startsWith(
                            name + ": can't be changed while the JVM runs, classes are woven by it as they are loaded")
                    .endsWith("; else start the JVM anew with " + name + "=…)");
        }
    }

    @Test
    void whatIsInTheWay_isAProblem_andTheOthersHold() {
        assertThat(order.bring(Map.of("allocations", "5", "measure", "wall"))).containsExactly("this JVM can't");
        assertThat(changes.get(1).measure()).isEmpty();
        assertThat(order.bring(Map.of("measure", "wall;time")))
                .containsExactly(
                        "measure: wall;time (expected: wall, cpu, alloc, counters, with semicolons between them)");
        assertThat(changes.get(3).measure()).containsExactly("cpu", "alloc");
    }

    @Test
    void namesToMask_areAddedToThoseOfTheStart_whichNoOrderTakesAway() {
        SettingOrder masking = new SettingOrder(AgentConfig.of("redact=ward;salary", Map.of()), (before, now) -> {
            changes.add(now);
            return List.of();
        });
        assertThat(masking.bring(Map.of("redact", "diagnosis; ward"))).isEmpty();
        assertThat(changes.get(0).redact()).containsExactly("ward", "salary", "diagnosis");
        assertThat(masking.bring(Map.of("redact", ""))).isEmpty();
        assertThat(changes.get(1).redact()).containsExactly("ward", "salary");
        assertThat(masking.bring(Map.of("redact", "7"))).hasSize(1);
        assertThat(changes.get(2).redact()).containsExactly("ward", "salary");
        assertThat(masking.bring(Map.of())).isEmpty();
        assertThat(changes.get(3).redact()).containsExactly("ward", "salary");
    }

    @Test
    void settings_areShownWithTheirOrigins_butNoSecrets() {
        order.bring(Map.of("budget", "0.1"));
        Map<String, ShownSetting> shown =
                order.shown().stream().collect(Collectors.toMap(ShownSetting::name, setting -> setting));

        assertThat(shown.get("budget")).hasToString("budget=0.1 (order)");
        assertThat(shown.get("deep")).hasToString("deep=3 (environment)");
        assertThat(shown.get("debug")).hasToString("debug=true (argument)");
        assertThat(shown.get("leaks")).hasToString("leaks=off (default)");
        assertThat(shown.get("sidecar")).hasToString("sidecar=http://…@host:1 (argument)");
        assertThat(shown).doesNotContainKey("token");
    }
}
