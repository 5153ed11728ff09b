package dev.understudy.relay.deliver;

import dev.understudy.relay.tap.Connection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The debug JVM's address, shared by the lanes that lead there, and when it may be tried next.
 *
 * <p>While it can't be reached, all its lanes together make one connect attempt per back-off (50 ms, doubled up to 1 s),
 * so that ten thousand waiting lanes cost what one does. Thread-safe.
 */
public final class DebugPeer {
    private static final long FIRST_BACK_OFF = 50_000_000L;
    private static final long LAST_BACK_OFF = 1_000_000_000L;

    private final SocketAddress address;
    private final int connectTimeoutMillis;
    private final LongSupplier nanoClock;
    private final AtomicInteger failures;
    private final AtomicLong nextAttempt;
    private final byte[] preface;

    /**
     * A debug JVM that listens, or will listen, on {@code address}.
     *
     * @param address may be unresolved: the name is then looked up at each connect
     * @param connectTimeout how long it may take to accept, at least 1 ms
     */
    public DebugPeer(SocketAddress address, Duration connectTimeout) {
        this(address, connectTimeout, System::nanoTime);
    }

    DebugPeer(SocketAddress address, Duration connectTimeout, LongSupplier nanoClock) {
        this.address = address;
        this.connectTimeoutMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, connectTimeout.toMillis()));
        this.nanoClock = nanoClock;
        this.failures = new AtomicInteger();
        this.nextAttempt = new AtomicLong();
        this.preface = new byte[0];
    }

    private DebugPeer(DebugPeer same, byte[] preface) {
        this.address = same.address;
        this.connectTimeoutMillis = same.connectTimeoutMillis;
        this.nanoClock = same.nanoClock;
        this.failures = same.failures;
        this.nextAttempt = same.nextAttempt;
        this.preface = preface;
    }

    /** The same JVM, told first what production was told before {@code connection}'s first byte. */
    public DebugPeer prefaced(Connection connection) {
        return connection.preface().length == 0 ? this : new DebugPeer(this, connection.preface());
    }

    /** What each connection begins with; not to be changed. */
    byte[] preface() {
        return preface;
    }

    /** Where it listens. */
    public SocketAddress address() {
        return address;
    }

    /** Whether the last attempt to connect failed. */
    public boolean unreachable() {
        return failures.get() > 0;
    }

    /** Whether a lane that wants to connect now had reason to hope: it is reachable, or an attempt is due. */
    public boolean mayBeTried() {
        return failures.get() == 0 || nextAttempt.get() - now() <= 0;
    }

    int connectTimeoutMillis() {
        return connectTimeoutMillis;
    }

    long now() {
        return nanoClock.getAsLong();
    }

    /** Nanoseconds until the caller may ask again, or 0: the caller connects now and reports how it went. */
    long waitBeforeAttempt() {
        int failed = failures.get();
        if (failed == 0) {
            return 0;
        }
        long now = now();
        long next = nextAttempt.get();
        if (next - now > 0) {
            return next - now;
        }
        return nextAttempt.compareAndSet(next, now + backOff(failed + 1)) ? 0 : backOff(failed);
    }

    void reached() {
        failures.set(0);
    }

    void missed() {
        int failed = failures.updateAndGet(n -> Math.min(n + 1, 30));
        nextAttempt.set(now() + backOff(failed));
    }

    private static long backOff(int failed) {
        return Math.min(LAST_BACK_OFF, FIRST_BACK_OFF << Math.min(failed - 1, 10));
    }
}
