package dev.understudy.session.doctor;

import dev.understudy.session.doctor.HealthFinding.Level;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class ExaminationTest {
    private static final Duration LIMIT = Duration.ofMillis(200);

    @Test
    @Timeout(60)
    void hangingCheck_isAWarning_andIsInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        HealthCheck hanging = new HealthCheck("engine", name -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return HealthFinding.ok(name, "never");
        });

        List<HealthFinding> findings =
                Examination.run(List.of(hanging, new HealthCheck("java", JvmHealth::version)), LIMIT);

        assertThat(findings).extracting(HealthFinding::name).containsExactly("engine", "java");
        assertThat(findings.get(0).level()).isEqualTo(Level.WARN);
        assertThat(findings.get(0).text()).contains("no answer");
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** As a system call does that the kernel doesn't end. */
    @Test
    @Timeout(60)
    void checkThatCannotBeInterrupted_isLeftBehind() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        HealthCheck deaf = new HealthCheck("shm", name -> {
            while (end.getCount() > 0) {
                Thread.onSpinWait();
            }
            return HealthFinding.ok(name, "late");
        });
        try {
            assertThat(Examination.run(List.of(deaf), LIMIT).get(0).level()).isEqualTo(Level.WARN);
        } finally {
            end.countDown();
        }
    }

    @Test
    void failingCheck_isAWarningWithItsReason() throws Exception {
        HealthCheck unreadable = new HealthCheck("cgroup", name -> {
            throw new IOException("/sys: permission denied");
        });
        HealthCheck wrong = new HealthCheck("clock", name -> {
            throw new IllegalStateException("odd");
        });

        List<HealthFinding> findings = Examination.run(List.of(unreadable, wrong), Duration.ofMinutes(1));

        assertThat(findings).extracting(HealthFinding::level).containsOnly(Level.WARN);
        assertThat(findings.get(0).text()).contains("permission denied");
        assertThat(findings.get(1).text()).contains("odd");
    }
}
