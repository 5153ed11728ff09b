package dev.understudy.agent;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("any-jdk")
final class AgentConfigTest {
    @Test
    void withoutAnything_theDefaultsHold() {
        AgentConfig config = AgentConfig.of("debug=true", Map.of());

        assertThat(config.sidecar()).isEqualTo("http://127.0.0.1:9090");
        assertThat(config.otlp()).isEqualTo("http://127.0.0.1:9090/otlp");
        assertThat(config.budget()).isEqualTo(0.2);
        assertThat(config.stacks()).isEqualTo(20);
        assertThat(config.allocations()).isZero();
        assertThat(config.oneIn()).isZero();
        assertThat(config.lag()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.packages()).isEmpty();
        assertThat(config.branches()).isEmpty();
        assertThat(config.redact()).isEmpty();
        assertThat(config.deep()).isEqualTo(8);
        assertThat(config.values()).isTrue();
        assertThat(config.name()).startsWith("debug-");
        assertThat(config.clockLags()).isFalse();
        assertThat(config.measure()).containsExactly("cpu", "alloc");
        assertThat(config.quotaText()).isEqualTo("3/10s");
        assertThat(config.ring()).isEmpty();
        assertThat(config.ringBytes()).isEqualTo(16 << 20);
    }

    @Test
    void arguments_winOverTheEnvironment() {
        AgentConfig config = AgentConfig.of(
                "debug=true,budget=0.5,packages=a.b;c,branches=a.b.C;d,deep=2,lag=2m,clock=lag,"
                        + "redact=diagnosis;home_address,stacks=0,allocations=150,values=off,sampling=1/100,"
                        + "measure=wall;counters",
                Map.of(
                        "UNDERSTUDY_AGENT_BUDGET", "0.1",
                        "UNDERSTUDY_AGENT_RING_SIZE", "64KiB",
                        "UNDERSTUDY_AGENT_SERVICE", "orders-debug",
                        "UNDERSTUDY_AGENT_SIDECAR", "http://sidecar:9090/"));

        assertThat(config.budget()).isEqualTo(0.5);
        assertThat(config.stacks()).isZero();
        assertThat(config.allocations()).isEqualTo(150);
        assertThat(config.oneIn()).isEqualTo(100);
        assertThat(config.lag()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.clockLags()).isTrue();
        assertThat(config.packages()).containsExactly("a.b", "c");
        assertThat(config.branches()).containsExactly("a.b.C", "d");
        assertThat(config.redact()).containsExactly("diagnosis", "home_address");
        assertThat(config.deep()).isEqualTo(2);
        assertThat(config.values()).isFalse();
        assertThat(config.measure()).containsExactly("counters");
        assertThat(config.ringBytes()).isEqualTo(64 << 10);
        assertThat(config.service()).isEqualTo("orders-debug");
        assertThat(config.sidecar()).isEqualTo("http://sidecar:9090");
    }

    @Test
    void allProblems_areToldTogether() {
        assertThatThrownBy(() -> AgentConfig.of(
                        "debug=yes,bugdet=1,deep=many,budget=-1,clock=slow,redact=ok;7,leaks=0s,lag=none,"
                                + "sidecar=ftp://x,stacks=often,allocations=1001,sampling=1/0,token,measure=heat,"
                                + "quota=3,ring-size=2GiB",
                        Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("debug: yes (expected: true or false)")
                .hasMessageContaining("bugdet: unknown (did you mean budget?)")
                .hasMessageContaining("deep: many (expected: classes, 0 to 200)")
                .hasMessageContaining("budget: -1 (expected: cores, 0 to 64)")
                .hasMessageContaining("stacks: often (expected: times a second, 0 to 1000)")
                .hasMessageContaining("allocations: 1001 (expected: samples a second, 0 to 1000)")
                .hasMessageContaining("sampling: 1/0 (expected: adaptive, or a part such as 1/100)")
                .hasMessageContaining("clock: slow (expected: real or lag)")
                .hasMessageContaining("redact: ok;7 (expected: names of fields, with semicolons between them)")
                .hasMessageContaining("leaks: 0s (expected: off, or a time such as 30s or 5m)")
                .hasMessageContaining("lag: none (expected: a time such as 2s or 1m)")
                .hasMessageContaining("sidecar: ftp://x (expected: http://host:port)")
                .hasMessageContaining("measure: heat (expected: wall, cpu, alloc, counters")
                .hasMessageContaining("ring-size: 2GiB (expected: a size from 64KiB to 1024MiB, such as 16MiB)")
                .hasMessageContaining("quota: 3 (expected: off, or calls of a method and a time, such as 3/10s)")
                .hasMessageContaining("token: has no value");
    }

    @Test
    void quotas_timesAndSizes_areReadAsTheyAreWritten() {
        for (String right : List.of("off", "0/1s", "00/9m", "05/10s", "9/99999m", "100/1s")) {
            assertThat(AgentConfig.of("quota=" + right, Map.of()).quotaText()).isEqualTo(right);
        }
        for (String wrong :
                List.of("", "3/", "/3s", "101/1s", "010/1s", "-1/1s", "3/0s", "3/100000s", "3/1h", "3/s", "x/1s")) {
            assertWrong("quota=" + wrong);
        }
        assertThat(AgentConfig.of("ring-size=64KiB", Map.of()).ringBytes()).isEqualTo(64 << 10);
        assertThat(AgentConfig.of("ring-size=1024MiB", Map.of()).ringBytes()).isEqualTo(1 << 30);
        for (String wrong : List.of("MiB", "63KiB", "1025MiB", "016MiB", "+1MiB", "1 MiB", "99999KiB", "16GiB")) {
            assertWrong("ring-size=" + wrong);
        }
        for (String wrong : List.of("1/", "1/01", "1/1000000", "2/3", "1/x", "")) {
            assertWrong("sampling=" + wrong);
        }
    }

    @Test
    void names_areSeparatedBySemicolonsAndWhiteSpace() {
        assertThat(AgentConfig.of("packages=; a.b ;\tc;;d ", Map.of()).packages())
                .containsExactly("a.b", "c", "d");
        assertThat(AgentConfig.of("redact=ä;größe_2;id-3", Map.of()).redact()).containsExactly("ä", "größe_2", "id-3");
        for (String wrong : List.of("_a", "a.b", "a".repeat(65), "a$")) {
            assertWrong("redact=" + wrong);
        }
    }

    @Test
    void keyStoresPassword_isShownNowhere() {
        Map<String, String> environment = Map.of(
                "UNDERSTUDY_AGENT_KEYSTORE_PASSWORD", "op3n sesame",
                "UNDERSTUDY_AGENT_TOKEN", "s3cret",
                "UNDERSTUDY_AGENT_AGGREGATOR_TOKEN", "v3rysecret");
        AgentConfig config = AgentConfig.of("sidecar=https://a:1,ca=a.crt,keystore=b.p12", environment);

        assertThat(config.shown().toString())
                .contains("a.crt", "b.p12")
                .doesNotContain("password")
                .doesNotContain("sesame")
                .doesNotContain("s3cret");
        assertThatThrownBy(() -> config.ordered("keystore-password", "an0ther"))
                .hasMessageContaining("can't be changed")
                .hasMessageNotContaining("an0ther");
    }

    @Test
    void theAggregator_isNotCalledUnlessItIsSet() {
        assertThat(AgentConfig.of("", Map.of()).aggregator()).isEmpty();
        AgentConfig config =
                AgentConfig.of("aggregator-token=t", Map.of("UNDERSTUDY_AGENT_AGGREGATOR", "http://aggregator:9091/"));
        assertThat(config.aggregator()).isEqualTo("http://aggregator:9091");
        assertThat(config.aggregatorToken()).isEqualTo("t");
        assertWrong("aggregator=aggregator:9091");
        assertThatThrownBy(() -> config.ordered("aggregator", "http://b:1")).hasMessageContaining("can't be changed");
    }

    @Test
    void egress_isAllowedUnlessItIsDenied_andDestinationsAreChecked() {
        assertThat(AgentConfig.of("egress-allow=a:1", Map.of()).deniesEgress()).isFalse();
        AgentConfig config = AgentConfig.of(
                "egress=deny", Map.of("UNDERSTUDY_AGENT_EGRESS_ALLOW", "db:5432; 10.0.0.0/8:*;[::1]:80"));
        assertThat(config.deniesEgress()).isTrue();
        assertThatThrownBy(() -> AgentConfig.of("egress=no,egress-allow=a:1;b", Map.of()))
                .hasMessageContaining("egress: no (expected: allow or deny)")
                .hasMessageContaining(
                        "egress-allow: a:1;b (expected: destinations such as db:5432 or 10.0.0.0/8:*, with");
        assertThatThrownBy(() -> config.ordered("egress", "allow")).hasMessageContaining("can't be changed");
        assertThatThrownBy(() -> config.ordered("egress-allow", "c:1")).hasMessageContaining("can't be changed");
    }

    /** It is to be said where an inert agent refuses nothing. */
    @Test
    void whoMeantToDenyEgress_isKnownThoughSettingsAreWrong() {
        assertThat(AgentConfig.meansToDenyEgress("bugdet=1,egress=deny", Map.of()))
                .isTrue();
        assertThat(AgentConfig.meansToDenyEgress("", Map.of("UNDERSTUDY_AGENT_EGRESS", "deny")))
                .isTrue();
        assertThat(AgentConfig.meansToDenyEgress("egress=deney", Map.of())).isTrue();
        assertThat(AgentConfig.meansToDenyEgress("bugdet=1", Map.of())).isFalse();
        assertThat(Agent.meansToDenyEgress("egress=deny", null)).isTrue();
        assertThat(Agent.meansToDenyEgress(null, "deney")).isTrue();
        assertThat(Agent.meansToDenyEgress("egress=allow", "deny")).isFalse();
        assertThat(Agent.meansToDenyEgress("debug=true", null)).isFalse();
    }

    @Test
    void settingsOfTls_needAnHttpsUrl() {
        assertThatThrownBy(() -> AgentConfig.of("ca=a.crt,keystore=b.p12", Map.of()))
                .hasMessageContaining("ca: a.crt (expected: https:// in sidecar or otlp or aggregator)")
                .hasMessageContaining("keystore: b.p12 (expected: https://");
        assertThat(AgentConfig.of("ca=a.crt,otlp=https://a:1", Map.of()).otlp()).isEqualTo("https://a:1");
        assertThat(AgentConfig.of("ca=a.crt,aggregator=https://a:1/", Map.of()).aggregator())
                .isEqualTo("https://a:1");
    }

    private static void assertWrong(String setting) {
        assertThatThrownBy(() -> AgentConfig.of(setting, Map.of()))
                .as(setting)
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aJvm_isTheDebugOneOnlyIfTheOperatorSaysSo() {
        assertThat(Agent.marked(null, null)).isFalse();
        assertThat(Agent.marked("", "")).isFalse();
        assertThat(Agent.marked("sidecar=http://x", null)).isFalse();
        assertThat(Agent.marked("sidecar=http://x, debug=true", null)).isTrue();
        assertThat(Agent.marked("sidecar=http://x", "true")).isTrue();
        assertThat(Agent.marked("debug=false", "true")).isFalse();
        assertThat(Agent.marked("debug=TRUE", null)).isFalse();
    }

    @Test
    void aKey_makesItAskOnlyWhereNobodySaysWhatThisIs() {
        assertThat(Agent.mayBeShown("keyfile=/run/key", null, null)).isTrue();
        assertThat(Agent.mayBeShown(null, null, "/run/key")).isTrue();
        assertThat(Agent.mayBeShown("debug=false", null, "/run/key")).isFalse();
        assertThat(Agent.mayBeShown("keyfile=/run/key", "false", null)).isFalse();
        assertThat(Agent.mayBeShown("keyfile=/run/key,debug=true", null, null)).isFalse();
        assertThat(Agent.mayBeShown("keyfile=", null, "/run/key")).isFalse();
        assertThat(AgentConfig.of("keyfile=/run/key", Map.of()).keyfile()).isEqualTo("/run/key");
    }
}
