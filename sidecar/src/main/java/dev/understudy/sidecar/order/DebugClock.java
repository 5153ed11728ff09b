package dev.understudy.sidecar.order;

/**
 * Time as the debug JVM lives it: it runs while the JVM shows life and ten times slower while it is silent.
 *
 * <p>A JVM that stands at a breakpoint is not late with one exchange, it is late with everything. Measured on this
 * clock, a bound of 10 s holds against one hung request in 10 s and against a JVM stopped as a whole in 100 s, so a
 * minute at a breakpoint costs no order, and yet no wait is for ever. Safe for use by several threads.
 */
public final class DebugClock {
    private static final long SIGN_LASTS = 1_000_000_000L;
    private static final long SILENT_RATE = 10;

    private volatile long lastLife;
    private volatile long elapsed;
    private volatile long lively;
    private long lastTick; // guarded by this
    private boolean held; // guarded by this

    /** A clock that counts from {@code now} (nanoseconds) on. */
    public DebugClock(long now) {
        lastTick = now;
        lastLife = now;
    }

    /** The debug JVM was seen doing something at {@code now}: it sent bytes, or its agent reported. */
    public void life(long now) {
        lastLife = now;
    }

    /** Stops the clock at {@code now}, while the debug JVM is given nothing on purpose, or lets it go on from there. */
    public synchronized void hold(boolean still, long now) {
        tick(now);
        held = still;
    }

    /** Moves the clock on to {@code now}; called at a steady pace, several times a second. */
    public synchronized void tick(long now) {
        long step = now - lastTick;
        if (step > 0) {
            boolean silent = silent(now);
            elapsed += held ? 0 : silent ? step / SILENT_RATE : step;
            lively += held || silent ? 0 : step;
            lastTick = now;
        }
    }

    /** Whether the debug JVM gave no sign of life for a second. */
    public boolean silent(long now) {
        return now - lastLife > SIGN_LASTS;
    }

    /** Nanoseconds in which the debug JVM showed life, by the last tick. */
    public long lively() {
        return lively;
    }

    /** Nanoseconds that passed on this clock by its last tick. */
    public long read() {
        return elapsed;
    }
}
