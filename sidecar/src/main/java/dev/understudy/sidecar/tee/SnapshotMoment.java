package dev.understudy.sidecar.tee;

/**
 * When the snapshot was taken that the debug JVM began with: what production had served by then is in its memory, and
 * must not reach it again. What production hadn't read by then has to.
 *
 * <p>Production answers nothing while it stands still. So what it answered in the first half of that was on its way
 * already; what it answered later, it served after the snapshot, unless it was at it then.
 *
 * @param running when production was last seen running, {@link System#nanoTime()} of this machine
 * @param answered some moment while it stood still, well after its last replies had arrived here
 */
public record SnapshotMoment(long running, long answered) {
    /** Whether what arrived at that time may be in the snapshot. */
    public boolean mayHave(long arrivedNanos) {
        return arrivedNanos - answered < 0;
    }

    /** Whether a request is in it that production hasn't answered yet, or has answered later. */
    public boolean hasUnanswered(long arrivedNanos) {
        return arrivedNanos - running < 0;
    }

    /** Whether a request is in it that production answered at that time. */
    public boolean hasAnswered(long arrivedNanos, long answeredNanos) {
        return hasUnanswered(arrivedNanos) || answeredNanos - answered < 0;
    }
}
