package dev.understudy.it.bench.agent;

import dev.understudy.it.overhead.Armed;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What the rows of {@code docs/measurements/agent-overhead.md} are about is so in the JVMs that are measured. */
@Tag("any-jdk")
final class ArmedIT {
    private static final Path AGENT = Path.of("..", "agent", "target", "understudy-agent.jar");
    private static final long TURN_MILLIS = 600;

    @TempDir
    private Path folder;

    private Jvms jvms;

    @BeforeEach
    void findJvms() {
        jvms = new Jvms(folder, folder);
    }

    @Test
    void gatesAndPeriods_standAsTheRowSays() throws Exception {
        try (WorkerJvm worker = WorkerJvm.start(
                jvms, new Candidate("ours", jvms.weavingOnly(AGENT, Jvms.WOVEN), Armed.CLOSED), "jackson")) {
            worker.set(Armed.COUNTED);
            worker.run(TURN_MILLIS);
            Ran counted = worker.run(TURN_MILLIS);
            assertThat(counted.hits()).isGreaterThan(20 * counted.operations());
            assertThat(counted.samples()).isLessThan(counted.hits() / 50);
            worker.set(Armed.OFF);
            Ran unseen = worker.run(TURN_MILLIS);
            assertThat(unseen.hits()).isZero();
            assertThat(unseen.operations()).isPositive();
            worker.set(Armed.HUNDREDTH);
            Ran hundredth = worker.run(TURN_MILLIS);
            assertThat((double) hundredth.samples() / hundredth.hits()).isBetween(0.005, 0.02);
            worker.set(Armed.TIMED);
            worker.run(TURN_MILLIS);
            Ran timed = worker.run(TURN_MILLIS);
            assertThat((double) timed.samples() / timed.hits()).isGreaterThan(0.9);
            worker.set(Armed.OBSERVED);
            assertThat(worker.run(TURN_MILLIS).observed()).isPositive();
            worker.set(Armed.CLOSED);
            Ran closed = worker.run(TURN_MILLIS);
            assertThat(closed.hits()).isZero();
            assertThat(closed.operations()).isPositive();
            assertThat(closed.observed()).isZero();
            assertThat(closed.compileMillis()).isGreaterThan(0).isGreaterThanOrEqualTo(counted.compileMillis());
        }
    }

    @Test
    void rearming_isOfAllMethodsThatAreCalled() throws Exception {
        Map<String, Double> figures = ManyMethods.rearm(jvms, AGENT, 200);

        assertThat(figures).containsEntry("probes hit", 200.0);
        assertThat(figures)
                .containsKeys("before", "flip", "longest flip", "after", "armed", "leaving out", "retransformation")
                .allSatisfy((name, figure) -> assertThat(figure).as(name).isPositive());
    }
}
