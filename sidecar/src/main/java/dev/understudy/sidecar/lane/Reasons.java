package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.lane.LossReason;

/** What a loss on the way to the debug JVM means for the comparison. */
final class Reasons {
    private Reasons() {}

    /** Whether a lane that ended so may be followed by another one of the same connection. */
    static boolean mayBeginAnew(LossReason reason, boolean sheds) {
        return switch (reason) {
            case DEBUG_UNREACHABLE, NO_DESCRIPTORS, DEBUG_CLOSED, DEBUG_RESET, DEBUG_STALLED -> true;
            case OVERFLOW_LANE, OVERFLOW_GLOBAL, OVERFLOW_DISK, OVERFLOW_RING, SPILL_FAILED -> sheds;
            case NONE, SESSION_REFUSED, SHUTDOWN, SWITCHED_OFF, NOT_SAMPLED, REENCODED, ENCRYPTED, INTERNAL -> false;
        };
    }

    static NotCompared of(LossReason reason) {
        return switch (reason) {
            case NONE -> NotCompared.NO_DEBUG_REPLY;
            case OVERFLOW_LANE, OVERFLOW_GLOBAL, OVERFLOW_DISK, OVERFLOW_RING, SPILL_FAILED -> NotCompared.OVERFLOW;
            case DEBUG_UNREACHABLE, NO_DESCRIPTORS -> NotCompared.DEBUG_UNREACHABLE;
            case DEBUG_CLOSED, DEBUG_RESET -> NotCompared.DEBUG_CLOSED;
            case DEBUG_STALLED -> NotCompared.TIMED_OUT;
            case SESSION_REFUSED -> NotCompared.NOT_JOINED;
            case SHUTDOWN -> NotCompared.SHUTDOWN;
            case SWITCHED_OFF -> NotCompared.SWITCHED_OFF;
            case NOT_SAMPLED, REENCODED -> NotCompared.UNFRAMED;
            case ENCRYPTED -> NotCompared.ENCRYPTED;
            case INTERNAL -> NotCompared.INTERNAL;
        };
    }
}
