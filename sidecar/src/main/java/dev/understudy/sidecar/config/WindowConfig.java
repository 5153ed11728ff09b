package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.time.Duration;

/**
 * The debug window.
 *
 * @param laneMemory bytes that one connection's lane may hold
 * @param memory bytes that all lanes together may hold
 * @param replyTimeout how long an exchange may stand still on the debug side, once its request was handed over
 * @param orderWait how long others wait for one exchange, on the debug JVM's own clock
 * @param connectWait how long bytes wait for a debug JVM that can't be reached
 * @param overflow what happens when memory and disk are full
 * @param diskDirectory where bytes wait that find no room in memory, or "" for nowhere
 * @param disk bytes that may wait there
 * @param wanted how long it should last, so that agents spend no more than the model allows; zero if they go by the
 *     window alone
 */
public record WindowConfig(
        long laneMemory,
        long memory,
        Duration replyTimeout,
        Duration orderWait,
        Duration connectWait,
        Overflow overflow,
        String diskDirectory,
        long disk,
        Duration wanted) {
    public WindowConfig {
        if (laneMemory > memory) {
            throw new IllegalArgumentException(
                    "lane-memory: " + laneMemory + " (expected: at most memory, " + memory + ")");
        }
        if (disk < LEAST_DISK) {
            throw new IllegalArgumentException("disk: " + disk + " (expected: at least 16MiB)");
        }
    }

    WindowConfig within(long most) {
        return new WindowConfig(
                Math.min(laneMemory, most),
                Math.min(memory, most),
                replyTimeout,
                orderWait,
                connectWait,
                overflow,
                diskDirectory,
                disk,
                wanted);
    }

    /** A window that agents go by alone. */
    public WindowConfig(
            long laneMemory,
            long memory,
            Duration replyTimeout,
            Duration orderWait,
            Duration connectWait,
            Overflow overflow,
            String diskDirectory,
            long disk) {
        this(laneMemory, memory, replyTimeout, orderWait, connectWait, overflow, diskDirectory, disk, Duration.ZERO);
    }

    /** A window in memory only. */
    public WindowConfig(long laneMemory, long memory, Duration replyTimeout, Duration orderWait, Duration connectWait) {
        this(laneMemory, memory, replyTimeout, orderWait, connectWait, Overflow.CLOSE, "", 4L << 30);
    }

    /** What holds where nothing is set. */
    public static WindowConfig defaults() {
        return new WindowConfig(
                16L << 20, 256L << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    private static final long LEAST_DISK = 16L << 20;

    /** What becomes of a lane that has no more room. */
    public enum Overflow {
        /** What it holds is lost, and its connection isn't copied any further. */
        CLOSE,
        /** Whole requests are left out until there is room again; not with protocol tcp. */
        SHED
    }

    static WindowConfig read(Section section) {
        WindowConfig defaults = WindowConfig.defaults();
        return new WindowConfig(
                section.optional("lane-memory", Value.bytes(), defaults.laneMemory()),
                section.optional("memory", Value.bytes(), defaults.memory()),
                section.optional("reply-timeout", Value.duration(), defaults.replyTimeout()),
                section.optional("order-wait", Value.duration(), defaults.orderWait()),
                section.optional("connect-wait", Value.duration(), defaults.connectWait()),
                section.optional("overflow", Value.choice(Overflow.class), defaults.overflow()),
                section.optional("disk-directory", Value.anyText(), defaults.diskDirectory()),
                section.optional("disk", Value.bytes(), defaults.disk()),
                section.optional("wanted", Value.durationOrNone(), defaults.wanted()));
    }
}
