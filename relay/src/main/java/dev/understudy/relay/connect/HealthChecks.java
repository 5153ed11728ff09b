package dev.understudy.relay.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after one listener's production from the control loop: has names looked up again, and tries each address where
 * there are several.
 *
 * <p>A check is a TCP connect that is closed at once. An address whose last check still runs isn't checked again.
 */
public final class HealthChecks implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);

    private final String listener;
    private final Targets targets;
    private final Function<SocketAddress, Bootstrap> sockets;

    /** Whether each address was up when that was last said; only touched on the loop. */
    private final Map<Target, Boolean> said = new HashMap<>();

    private final Map<Target, ChannelFuture> running = new HashMap<>();

    /**
     * Begins with a first look-up of all names.
     *
     * @param sockets makes a client on the loop of {@link #run} for such an address
     */
    public HealthChecks(String listener, Targets targets, Function<SocketAddress, Bootstrap> sockets) {
        this.listener = listener;
        this.targets = targets;
        this.sockets = sockets;
        targets.lookUp();
    }

    /** One round; to be run at a steady pace, and not on a relay loop. */
    @Override
    public void run() {
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
}
