package dev.understudy.relay.event;

import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One value that several callers follow: it is read at most once in a period, however many there are.
 *
 * <p>A caller that doesn't read loses values, and holds at most Netty's write-buffer mark. Confined to the control
 * port's event loop.
 */
public final class SharedState {
    private final Duration period;
    private final int mostCallers;
    private final Supplier<Object> now;
    private final LongSupplier nanoTime;
    private Object value = "";
    private long readAt;
    private int callers;
    private boolean read;

    /**
     * A value that nobody follows.
     *
     * @param period between two events of a caller
     * @param mostCallers so many may follow at a time
     * @param now reads the value, as JSON would have it
     */
    public SharedState(Duration period, int mostCallers, Supplier<Object> now, LongSupplier nanoTime) {
        this.period = period;
        this.mostCallers = mostCallers;
        this.now = now;
        this.nanoTime = nanoTime;
    }

    /** Why nobody more may follow, or null if one may. */
    public @Nullable String refusal() {
        return callers < mostCallers
                ? null
                : callers + " callers follow this already (expected: at most " + mostCallers + ")";
    }

    /** How many follow it. */
    public int callers() {
        return callers;
    }

    /** What serves one more caller: the last handler of its pipeline, behind an HTTP codec. */
    public ChannelHandler open() {
        callers++;
        return new StateStream(period, this::value, () -> callers--);
    }

    /** Ticks of several callers within three quarters of a period share one reading. */
    private Object value() {
        long at = nanoTime.getAsLong();
        if (!read || at - readAt >= period.toNanos() / 4 * 3) {
            value = now.get();
            readAt = at;
            read = true;
        }
        return value;
    }
}
