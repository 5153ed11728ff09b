package dev.understudy.sidecar.resync;

/**
 * A time in which the debug JVM ran the same code and got production's input without a break, from one
 * re-synchronisation or patch to the next.
 *
 * @param number from 1 on
 * @param fromMillis when it began, in milliseconds since 1970: for a re-synchronisation, when the old one was cut
 * @param tookMillis until the debug JVM was ready for it; -1 while it isn't
 * @param problem why bringing it into production's state failed, so that nothing is known of its state; "" if it didn't
 * @param counted what was counted in it
 * @param patch the patch that the debug JVM runs with; "" if none
 */
public record Epoch(
        int number,
        Cause cause,
        long fromMillis,
        long tookMillis,
        String problem,
        ResyncStanding counted,
        String patch) {
    /** {@code running} until the debug JVM is ready, then {@code done} or {@code failed}. */
    public String state() {
        return tookMillis < 0 ? "running" : problem.isEmpty() ? "done" : "failed";
    }
}
