package dev.understudy.sidecar.order;

import org.jspecify.annotations.Nullable;

/** One exchange as the order sees it: when it ended in production and whether the debug JVM is through with it. */
public final class Ticket {
    // all guarded by the gate
    @Nullable
    Turn turn;

    long endedNanos;
    boolean ended;

    /** Nobody waits for it any longer. */
    boolean settled;

    /** The debug JVM is through with it, or will never be. */
    boolean over;

    boolean delivered;
    long deliveredAt;
    boolean leading;
    long leadingSince;
}
