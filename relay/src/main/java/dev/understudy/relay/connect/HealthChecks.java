package dev.understudy.relay.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after one listener's production from the control loop: has names looked up again, and tries each address where
 * there are several.
 *
 * <p>A check is a TCP connect that is closed at once. An address whose last check still runs isn't checked again.
 */
public final class HealthChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);

    private final String listener;
    private final Targets targets;
    private final Function<SocketAddress, Bootstrap> sockets;
    private final ScheduledFuture<?> ticks;

    /** Whether each address was up when that was last said; only touched on the loop. */
    private final Map<Target, Boolean> said = new HashMap<>();

    private final Map<Target, ChannelFuture> running = new HashMap<>();

    private HealthChecks(
            String listener,
            Targets targets,
            HealthConfig config,
            EventLoop loop,
            Function<SocketAddress, Bootstrap> sockets) {
        this.listener = listener;
        this.targets = targets;
        this.sockets = sockets;
        long pace = config.interval().toMillis();
        this.ticks = loop.scheduleAtFixedRate(this::tick, pace, pace, TimeUnit.MILLISECONDS);
    }

    /**
     * Begins, with a first look-up of all names.
     *
     * @param loop runs all of it; not a relay loop
     * @param sockets makes a client on {@code loop} for such an address
     */
    public static HealthChecks start(
            String listener,
            Targets targets,
            HealthConfig config,
            EventLoop loop,
            Function<SocketAddress, Bootstrap> sockets) {
        targets.lookUp();
        return new HealthChecks(listener, targets, config, loop, sockets);
    }

    private void tick() {
        targets.refresh();
        List<Target> all = targets.order();
        said.keySet().retainAll(all);
        running.keySet().retainAll(all);
        if (all.size() < 2) {
            return;
        }
        for (Target target : all) {
            say(target);
            if (!running.containsKey(target)) {
                check(target);
            }
        }
    }

    private void say(Target target) {
        boolean up = target.up();
        Boolean before = said.put(target, up);
        if (before == null ? !up : before != up) {
            LOG.warn(
                    "listener {}: production at {} is {}",
                    listener,
                    target.spelled(),
                    up ? "up again" : "down, and tried last");
        }
    }

    private void check(Target target) {
        ChannelFuture attempt = sockets.apply(target.address()).connect(target.address());
        running.put(target, attempt);
        attempt.addListener(tried -> {
            running.remove(target, attempt);
            if (attempt.isSuccess()) {
                target.succeeded();
                attempt.channel().close();
            } else {
                target.missed();
            }
        });
    }

    @Override
    public void close() {
        ticks.cancel(false);
    }
}
