package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.CallRate;
import dev.understudy.aggregator.live.LiveLimits;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.live.LiveReads;
import dev.understudy.relay.UpstreamDial;
import dev.understudy.relay.loop.EventLoops;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server that answers calls of the debug JVM, a real upstream or a stand-in: each on a connection of its
 * own, few at a time. Each connection is a line of the logger {@code understudy.audit}.
 *
 * <p>Safe for all threads: places and what waits for them are guarded by {@code this}.
 */
final class LiveUpstream implements LiveReads, AutoCloseable {
    private static final Logger AUDIT = LoggerFactory.getLogger("understudy.audit");

    private final LiveTarget target;
    private final LiveTarget.Role role;
    private final LiveLimits limits;
    private final UpstreamDial dial;
    private final CallRate rate;
    private final AtomicBoolean hasRefused = new AtomicBoolean();
    private final Deque<LiveCall> waiting = new ArrayDeque<>();
    private int free;

    /** @throws IOException if what is needed to reach it can't be read */
    LiveUpstream(LiveTarget target, EventLoops loops, LongSupplier nanos) throws IOException {
        this.target = target;
        this.role = target.role();
        this.limits = target.limits();
        this.dial = new UpstreamDial(target.at().within(limits.time()), loops);
        this.rate = new CallRate(limits.perSecond(), nanos);
        this.free = limits.connections();
        AUDIT.warn(
                "upstream {}: {}: {} {}, on at most {} connections",
                target.upstream(),
                role.word(),
                role.notice(),
                target.address(),
                limits.connections());
    }

    @Override
    public PendingRequest ask(EventLoop loop, HeldMemory memory, String shown, LiveRead<?> read, Answer then) {
        if (!rate.take()) {
            then.given("more than " + limits.perSecond() + " " + role.calls() + " in a second");
            return () -> {};
        }
        LiveCall call = new LiveCall(this, loop, memory, shown, read, then);
        switch (place(call)) {
            case FREE -> call.begin();
            case TAKEN -> call.limitTime();
            case NONE ->
                call.end("the " + limits.connections() + " connections for " + role.calls() + " are busy, and "
                        + limits.waiting() + " wait for one");
        }
        return call;
    }

    private enum Place {
        FREE,
        TAKEN,
        NONE
    }

    private synchronized Place place(LiveCall call) {
        if (free > 0) {
            free--;
            return Place.FREE;
        }
        if (waiting.size() >= limits.waiting()) {
            return Place.NONE;
        }
        waiting.add(call);
        return Place.TAKEN;
    }

    /** The call won't need a place any more; true if it was still waiting for one. */
    synchronized boolean leave(LiveCall call) {
        return waiting.remove(call);
    }

    /** A connection is over: the next call gets its place. */
    void release() {
        LiveCall next = next();
        while (next != null) {
            try {
                next.loop().execute(next::begin);
                return;
            } catch (RejectedExecutionException stopped) {
                next = next();
            }
        }
    }

    private synchronized @Nullable LiveCall next() {
        LiveCall next = waiting.poll();
        if (next == null) {
            free++;
        }
        return next;
    }

    LiveTarget target() {
        return target;
    }

    UpstreamDial dial() {
        return dial;
    }

    /** One line for each connection. */
    void audit(String shown, String outcome) {
        AUDIT.info("upstream {}: {}: {}: {}", target.upstream(), role.word(), shown, outcome);
    }

    @Override
    public void refused(String shown) {
        if (hasRefused.compareAndSet(false, true)) {
            AUDIT.warn("upstream {}: {}: {}: {}", target.upstream(), role.word(), role.refusal(), shown);
        }
    }

    @Override
    public void close() {
        dial.close();
    }
}
