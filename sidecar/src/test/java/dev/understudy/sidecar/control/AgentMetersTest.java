package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AgentMetersTest {
    private static final String REPORT =
            "{\"name\":\"a\",\"budget\":0.15,\"budgetMax\":0.2,\"spent\":0.11,\"nu\":3.5,\"probes\":412,"
                    + "\"armed\":400,\"samplesPerSecond\":9000,\"stacksPerSecond\":20,\"exchanges\":70,\"observedExchanges\":7,"
                    + "\"stacks\":31,\"refusedSamples\":1,\"droppedSpans\":2,\"droppedObservations\":3,\"droppedStacks\":4,\"crowdedObservations\":8,"
                    + "\"measure\":{\"measured\":40,\"notMeasured\":5},\"quota\":{\"taken\":6}}";

    private long now = 5;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AgentReports reports = new AgentReports(() -> {}, () -> {}, new AgentMeters(registry, () -> now));

    @Test
    void anAgentsFigures_areMeters() {
        post(REPORT);

        assertThat(gauge("up")).isEqualTo(1);
        assertThat(gauge("budget")).isEqualTo(0.15);
        assertThat(gauge("budget.max")).isEqualTo(0.2);
        assertThat(gauge("spent")).isEqualTo(0.11);
        assertThat(gauge("price")).isEqualTo(3.5);
        assertThat(gauge("probes")).isEqualTo(412);
        assertThat(gauge("probes.armed")).isEqualTo(400);
        assertThat(gauge("samples.rate")).isEqualTo(9000);
        assertThat(gauge("stacks.rate")).isEqualTo(20);
        assertThat(counter("exchanges")).isEqualTo(70);
        assertThat(counter("exchanges.observed")).isEqualTo(7);
        assertThat(counter("stacks")).isEqualTo(31);
        assertThat(dropped("samples")).isEqualTo(1);
        assertThat(dropped("spans")).isEqualTo(2);
        assertThat(dropped("observations")).isEqualTo(3);
        assertThat(dropped("crowded")).isEqualTo(8);
        assertThat(dropped("stacks")).isEqualTo(4);
        assertThat(counter("measured")).isEqualTo(40);
        assertThat(dropped("measurements")).isEqualTo(5);
        assertThat(counter("quota")).isEqualTo(6);

        post(REPORT.replace("0.15", "0.0"));
        assertThat(gauge("budget")).isZero();
    }

    @Test
    void ofASilentAgent_nothingIsSaidButWhatItCounted() {
        post(REPORT);
        now += TimeUnit.SECONDS.toNanos(11);

        assertThat(gauge("up")).isZero();
        assertThat(gauge("budget")).isNaN();
        assertThat(counter("exchanges")).isEqualTo(70);
    }

    @Test
    void figuresThatAreNone_areNoNumbers() {
        post("{\"name\":\"a\",\"budget\":\"much\",\"exchanges\":{}}");

        assertThat(gauge("budget")).isNaN();
        assertThat(counter("exchanges")).isZero();
    }

    @Test
    void agentsThatComeAndGo_leaveNoMetersBehind() {
        post(REPORT);
        int ofOne = registry.getMeters().size();
        for (int i = 0; i < 500; i++) {
            post("{\"name\":\"b" + i + "\"}");
        }
        assertThat(registry.getMeters()).hasSize(64 * ofOne);
        assertThat(registry.find("understudy.agent.up").tag("agent", "a").meter())
                .isNull();
        assertThat(registry.find("understudy.agent.up").tag("agent", "b499").meter())
                .isNotNull();
    }

    private void post(String report) {
        reports.post(
                new Call("/v1/agent", Map.of(), "application/json", report.getBytes(StandardCharsets.UTF_8), Map.of()));
    }

    private double gauge(String name) {
        return registry.get("understudy.agent." + name)
                .tag("agent", "a")
                .gauge()
                .value();
    }

    private double counter(String name) {
        return registry.get("understudy.agent." + name)
                .tag("agent", "a")
                .functionCounter()
                .count();
    }

    private double dropped(String what) {
        return registry.get("understudy.agent.dropped")
                .tag("what", what)
                .functionCounter()
                .count();
    }
}
