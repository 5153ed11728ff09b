package dev.understudy.relay.connect;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets one client its production socket: one address after the other until one accepts or the time is up.
 *
 * <p>An address that doesn't answer gets an equal share of the time that is left, so that the next one still has some.
 * Confined to the event loop of the client; {@link Outcome} is told there, once.
 */
public final class Dial {
    private final Targets targets;
    private final EventLoop loop;
    private final Caller caller;
    private final Outcome outcome;
    private final long begunNanos = System.nanoTime();
    private final long budgetNanos;
    private final Deque<Target> left = new ArrayDeque<>();
    private @Nullable Throwable last;
    private boolean begun;

    private Dial(Targets targets, EventLoop loop, Caller caller, Duration budget, Outcome outcome) {
        this.targets = targets;
        this.loop = loop;
        this.caller = caller;
        this.budgetNanos = budget.toNanos();
        this.outcome = outcome;
    }

    /** Opens a socket on the client's loop. */
    @FunctionalInterface
    public interface Caller {
        /** Begins to connect to {@code address}, and fails with a {@link ConnectTimeoutException} after that time. */
        ChannelFuture connect(SocketAddress address, int timeoutMillis);
    }

    /** What became of it. */
    public interface Outcome {
        /** Production accepted. */
        void connected(DuplexChannel production);

        /**
         * No address accepted; {@code cause} is how the last attempt failed, a ChannelException if there was no socket.
         */
        void failed(Throwable cause);
    }

    /** Begins, called on {@code loop}; it takes at most {@code budget}. */
    public static void start(Targets targets, EventLoop loop, Caller caller, Duration budget, Outcome outcome) {
        Dial dial = new Dial(targets, loop, caller, budget, outcome);
        dial.left.addAll(targets.order());
        if (dial.left.isEmpty()) {
            dial.awaitNames();
        } else {
            dial.begun = true;
            dial.next();
        }
    }

    /** The same towards one address, which is nobody's to check or to look up. */
    public static void start(
            InetSocketAddress address, EventLoop loop, Caller caller, Duration budget, Outcome outcome) {
        Dial dial = new Dial(Targets.NONE, loop, caller, budget, outcome);
        dial.begun = true;
        dial.left.add(new Target("", address, HealthConfig.defaults()));
        dial.next();
    }

    private void awaitNames() {
        loop.schedule(
                () -> {
                    if (!begun) {
                        begun = true;
                        outcome.failed(new ConnectTimeoutException("the name look-up took too long"));
                    }
                },
                budgetNanos,
                TimeUnit.NANOSECONDS);
        targets.lookUp()
                .whenComplete((done, failure) -> loop.execute(() -> {
                    if (!begun) {
                        begun = true;
                        left.addAll(targets.order());
                        next();
                    }
                }));
    }

    private void next() {
        Target target = left.poll();
        long leftNanos = budgetNanos - (System.nanoTime() - begunNanos);
        if (target == null || leftNanos <= 0) {
            fail(target != null);
            return;
        }
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos / (left.size() + 1)));
        ChannelFuture attempt = caller.connect(target.address(), (int) Math.min(millis, Integer.MAX_VALUE));
        attempt.addListener(tried -> tried(target, attempt));
    }

    private void tried(Target target, ChannelFuture attempt) {
        if (attempt.isSuccess()) {
            target.accepted();
            outcome.connected((DuplexChannel) attempt.channel());
        } else if (attempt.cause() instanceof ChannelException noSocket) {
            // No socket was to be had here, which isn't production's fault.
            outcome.failed(noSocket);
        } else if (attempt.cause() instanceof UnsuitedProtocol unsuited) {
            // The settings offer clients what this address doesn't speak; it is up all the same.
            last = unsuited;
            target.succeeded();
            next();
        } else {
            last = attempt.cause();
            target.failed(last instanceof ConnectTimeoutException);
            next();
        }
    }

    /** Names may have moved: the next client shall know. */
    private void fail(boolean timedOut) {
        targets.lookUp();
        if (timedOut) {
            outcome.failed(new ConnectTimeoutException("no address accepted in time"));
        } else {
            outcome.failed(last == null ? new UnknownHostException("no address is known") : last);
        }
    }
}
