package dev.understudy.agent.counter;

import java.util.List;

/** Which counters this machine lets the agent have, and why no better ones. Immutable. */
final class CounterChoice {
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int ENODEV = 19;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;
    private static final int EPERM = 1;

    final List<CounterEvent> events;
    final boolean userOnly;
    final String why;

    private CounterChoice(List<CounterEvent> events, boolean userOnly, String why) {
        this.events = events;
        this.userOnly = userOnly;
        this.why = why;
    }

    /** None, for that reason. */
    static CounterChoice none(String why) {
        return new CounterChoice(List.of(), false, "none: " + why + "; CPU time and allocated bytes instead");
    }

    /**
     * Tries on this thread: the processor's, else the kernel's, each with what the kernel does for the thread or
     * without.
     *
     * @param paranoid what stands in {@code /proc/sys/kernel/perf_event_paranoid}, or ""
     */
    static CounterChoice of(Perf perf, String paranoid) {
        int hardware = tried(perf, CounterEvent.HARDWARE, false);
        if (hardware == 0) {
            return new CounterChoice(
                    CounterEvent.HARDWARE, false, "hardware: " + CounterEvent.named(CounterEvent.HARDWARE));
        }
        int hardwareOfUser = tried(perf, CounterEvent.HARDWARE, true);
        if (hardwareOfUser == 0) {
            return new CounterChoice(
                    CounterEvent.HARDWARE,
                    true,
                    "hardware: " + CounterEvent.named(CounterEvent.HARDWARE) + ", outside of the kernel ("
                            + reason(hardware, paranoid) + ")");
        }
        String noHardware = reason(hardwareOfUser, paranoid);
        int software = tried(perf, CounterEvent.SOFTWARE, false);
        if (software == 0) {
            return software(CounterEvent.SOFTWARE, false, noHardware);
        }
        int softwareOfUser = tried(perf, CounterEvent.SOFTWARE_OF_USER, true);
        if (softwareOfUser == 0) {
            return software(CounterEvent.SOFTWARE_OF_USER, true, noHardware + "; " + reason(software, paranoid));
        }
        return none(reason(softwareOfUser, paranoid));
    }

    private static CounterChoice software(List<CounterEvent> events, boolean userOnly, String why) {
        return new CounterChoice(events, userOnly, "software: " + CounterEvent.named(events) + " (" + why + ")");
    }

    /** 0 if all of them can be opened, else the first error's number. */
    private static int tried(Perf perf, List<CounterEvent> events, boolean userOnly) {
        for (CounterEvent event : events) {
            int error = perf.tried(event, userOnly);
            if (error != 0) {
                return error;
            }
        }
        return 0;
    }

    private static String reason(int error, String paranoid) {
        switch (error) {
            case EACCES:
                return "refused, EACCES: perf_event_paranoid is " + (paranoid.isEmpty() ? "not known" : paranoid);
            case EPERM:
                return "refused, EPERM: by seccomp or a missing capability, as in most containers";
            case ENOENT:
            case ENODEV:
            case EOPNOTSUPP:
                return "the processor's counters aren't there, error " + error + ", as in most virtual machines";
            case ENOSYS:
                return "the kernel has no perf_event_open, or seccomp hides it";
            default:
                return "error " + error;
        }
    }
}
