package dev.understudy.agent.counter;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class CounterChoiceTest {
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int ENOSYS = 38;

    private final FakePerf perf = new FakePerf();

    @Test
    void theProcessorsCounters_areTakenWhereTheyAreThere() {
        CounterChoice choice = CounterChoice.of(perf, "2");

        assertThat(choice.events).isEqualTo(CounterEvent.HARDWARE);
        assertThat(choice.userOnly).isFalse();
        assertThat(choice.why).isEqualTo("hardware: cycles, instructions, cacheMisses, branchMisses");
    }

    @Test
    void whereTheKernelMayNotBeWatched_theyCountOutsideOfIt() {
        perf.kernelToo = false;
        CounterChoice choice = CounterChoice.of(perf, "2");

        assertThat(choice.events).isEqualTo(CounterEvent.HARDWARE);
        assertThat(choice.userOnly).isTrue();
        assertThat(choice.why).contains("outside of the kernel", "EACCES: perf_event_paranoid is 2");
    }

    @Test
    void inAVirtualMachine_theKernelsAreTaken_andWhyIsSaid() {
        refuse(CounterEvent.HARDWARE, ENOENT);
        CounterChoice choice = CounterChoice.of(perf, "2");
        assertThat(choice.events).isEqualTo(CounterEvent.SOFTWARE);
        assertThat(choice.why)
                .startsWith(
                        "software: taskClockNanos, pageFaults, contextSwitches (the processor's counters aren't there");

        perf.kernelToo = false;
        assertThat(CounterChoice.of(perf, "2").events)
                .as("the kernel switches threads only inside of itself")
                .isEqualTo(CounterEvent.SOFTWARE_OF_USER);
    }

    @Test
    void whatIsRefusedAltogether_leavesCpuTimeAndBytes_withTheReason() {
        refuse(List.of(CounterEvent.values()), EACCES);
        CounterChoice paranoid = CounterChoice.of(perf, "4");
        assertThat(paranoid.events).isEmpty();
        assertThat(paranoid.why)
                .isEqualTo("none: refused, EACCES: perf_event_paranoid is 4; CPU time and allocated bytes instead");

        perf.error = EPERM;
        assertThat(CounterChoice.of(perf, "").why).contains("EPERM: by seccomp");
        perf.error = ENOSYS;
        assertThat(CounterChoice.of(perf, "").why).contains("has no perf_event_open");
        perf.error = 22;
        assertThat(CounterChoice.of(perf, "").why).contains("error 22");
    }

    private void refuse(List<CounterEvent> events, int error) {
        perf.absent.addAll(events);
        perf.error = error;
    }
}
