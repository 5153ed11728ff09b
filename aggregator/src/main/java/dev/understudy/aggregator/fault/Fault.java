package dev.understudy.aggregator.fault;

import java.time.Duration;
import java.util.Locale;

/** What a debug request, or its connection, is made to suffer. Immutable. */
public sealed interface Fault {

    /** Its kind. */
    Kind kind();

    /** The kinds, by the names that settings and the control port have for them. */
    enum Kind {
        LATENCY,
        BANDWIDTH,
        ERROR,
        RESET,
        BLACK_HOLE,
        SLOW_CLOSE;

        /** As it stands in settings, e.g. {@code black-hole}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Whether a request gets no reply of the upstream then. */
        boolean ends() {
            return this == ERROR || this == RESET || this == BLACK_HOLE;
        }
    }

    /**
     * The request is looked at later.
     *
     * @param delay how much later
     * @param jitter by how much that varies at most, to both sides, evenly; never below no delay
     */
    record Latency(Duration delay, Duration jitter) implements Fault {
        @Override
        public Kind kind() {
            return Kind.LATENCY;
        }
    }

    /** The reply is sent at no more than so many bytes a second, at least 1. */
    record Bandwidth(long bytesPerSecond) implements Fault {
        public Bandwidth {
            if (bytesPerSecond < 1) {
                throw new IllegalArgumentException("rate: " + bytesPerSecond + " (expected: >= 1)");
            }
        }

        @Override
        public Kind kind() {
            return Kind.BANDWIDTH;
        }
    }

    /**
     * The reply is an error in the protocol's own words; no recorded reply is used up.
     *
     * @param code SQLSTATE, first word of a RESP error, or HTTP status
     */
    record ErrorReply(String code, String message) implements Fault {
        @Override
        public Kind kind() {
            return Kind.ERROR;
        }
    }

    /** The connection is reset instead of a reply. */
    record Reset() implements Fault {
        @Override
        public Kind kind() {
            return Kind.RESET;
        }
    }

    /** The connection stays open, and nothing comes any more. */
    record BlackHole() implements Fault {
        @Override
        public Kind kind() {
            return Kind.BLACK_HOLE;
        }
    }

    /** When either side closes the connection after this request, it is over only that much later. */
    record SlowClose(Duration delay) implements Fault {
        @Override
        public Kind kind() {
            return Kind.SLOW_CLOSE;
        }
    }
}
