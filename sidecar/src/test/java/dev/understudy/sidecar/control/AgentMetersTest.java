package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AgentMetersTest {
    private static final String REPORT =
            "{\"name\":\"a\",\"budget\":0.15,\"budgetMax\":0.2,\"spent\":0.11,\"nu\":3.5,\"probes\":412,"
                    + "\"armed\":400,\"samplesPerSecond\":9000,\"stacksPerSecond\":20,\"exchanges\":70,"
                    + "\"observedExchanges\":7,"
                    + "\"stacks\":31,\"faults\":9,\"refusedSamples\":1,\"droppedSpans\":2,"
                    + "\"droppedObservations\":3,\"droppedStacks\":4,\"crowdedObservations\":8,"
                    + "\"measure\":{\"measured\":40,\"notMeasured\":5},\"quota\":{\"taken\":6},"
                    + "\"egress\":{\"state\":\"deny\",\"refused\":11}}";

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
        assertThat(counter("faults")).isEqualTo(9);
        assertThat(dropped("samples")).isEqualTo(1);
        assertThat(dropped("spans")).isEqualTo(2);
        assertThat(dropped("observations")).isEqualTo(3);
        assertThat(dropped("crowded")).isEqualTo(8);
        assertThat(dropped("stacks")).isEqualTo(4);
        assertThat(counter("measured")).isEqualTo(40);
        assertThat(dropped("measurements")).isEqualTo(5);
        assertThat(counter("quota")).isEqualTo(6);
        assertThat(counter("egress.refused")).isEqualTo(11);

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
        String report =
                REPORT.substring(0, REPORT.length() - 1) + ",\"methods\":[" + method("Shelf#take", "armed", 1) + "]}";
        post(report);
        int ofOne = registry.getMeters().size();
        for (int i = 0; i < 500; i++) {
            post(report.replace("\"name\":\"a\"", "\"name\":\"b" + i + '"'));
        }
        assertThat(registry.getMeters()).hasSize(64 * ofOne);
        assertThat(registry.find("understudy.agent.up").tag("agent", "a").meter())
                .isNull();
        assertThat(registry.find("understudy.agent.up").tag("agent", "b499").meter())
                .isNotNull();
    }

    @Test
    void methodsThatWereArmed_haveMetersUntilTheyAreNot() {
        post(withMethods(
                method("Shelf#take", "armed", 70), method("Shelf#put", "off", 9), method("Shelf#list", "", 5)));

        assertThat(registry.get("understudy.agent.method.calls")
                        .tags("agent", "a", "method", "Shelf#take")
                        .functionCounter()
                        .count())
                .isEqualTo(70);
        FunctionTimer sampled = registry.get("understudy.agent.method.sampled")
                .tags("agent", "a", "method", "Shelf#take")
                .functionTimer();
        assertThat(sampled.count()).isEqualTo(4);
        assertThat(sampled.totalTime(TimeUnit.MICROSECONDS)).isEqualTo(10);
        assertThat(registry.get("understudy.agent.method.longest").timeGauge().value(TimeUnit.MICROSECONDS))
                .isEqualTo(7.5);
        assertThat(registry.find("understudy.agent.method.calls").meters()).hasSize(1);

        post(withMethods(method("Shelf#take", "armed", 80)));
        assertThat(registry.get("understudy.agent.method.calls")
                        .functionCounter()
                        .count())
                .isEqualTo(80);
        post(withMethods(method("Shelf#take", "", 90)));
        assertThat(registry.find("understudy.agent.method.calls").meters()).isEmpty();
        assertThat(registry.find("understudy.agent.method.sampled").meters()).isEmpty();
        assertThat(registry.find("understudy.agent.method.longest").meters()).isEmpty();
    }

    @Test
    void soManyMethodsHaveMeters_andNoMore() {
        String[] many = IntStream.range(0, 300)
                .mapToObj(i -> method("Shelf#take" + i, "armed", i))
                .toArray(String[]::new);
        post(withMethods(many));
        post(withMethods(many));

        assertThat(registry.find("understudy.agent.method.calls").meters()).hasSize(MethodMeters.MOST);
    }

    @Test
    void whatIsNoMethod_hasNoMeters() {
        post("{\"name\":\"a\",\"methods\":7}");
        post("{\"name\":\"a\",\"methods\":[1,null,{\"ordered\":\"armed\"},[{}],"
                + "{\"method\":\"x\",\"ordered\":\"armed\",\"hits\":\"many\",\"samples\":-3}]}");

        assertThat(registry.find("understudy.agent.method.calls").meters()).hasSize(1);
        assertThat(registry.get("understudy.agent.method.calls")
                        .functionCounter()
                        .count())
                .isZero();
    }

    private static String withMethods(String... methods) {
        return "{\"name\":\"a\",\"methods\":[" + String.join(",", methods) + "]}";
    }

    private static String method(String name, String ordered, int hits) {
        String order = ordered.isEmpty() ? "" : ",\"ordered\":\"" + ordered + '"';
        return "{\"method\":\"" + name + "\",\"hits\":" + hits + ",\"samples\":4,\"meanMicros\":2.5,\"maxMicros\":7.5"
                + order + '}';
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
