package dev.understudy.sidecar;

import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tls.ClientTls;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.WindowConfig;
import dev.understudy.sidecar.control.Meters;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.lane.LaneSettings;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.trace.TraceSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens lanes from listeners to debug JVMs, as the configuration says, and knows all that are open.
 *
 * <p>They are opened by the thread that starts the sidecar; what waits in them, any thread may ask.
 */
final class OpenLanes {
    private static final Duration PACE = Duration.ofSeconds(2);

    private final SidecarConfig config;
    private final EventLoops loops;
    private final @Nullable Spill spill;
    private final Map<String, DebugJvm> jvms;
    private final MeterRegistry registry;
    private final Meters meters;
    private final List<DebugLanes> opened = new CopyOnWriteArrayList<>();

    /** @param jvms by their names, which may still be added */
    OpenLanes(
            SidecarConfig config,
            EventLoops loops,
            @Nullable Spill spill,
            Map<String, DebugJvm> jvms,
            MeterRegistry registry,
            Meters meters) {
        this.config = config;
        this.loops = loops;
        this.spill = spill;
        this.jvms = jvms;
        this.registry = registry;
        this.meters = meters;
    }

    /**
     * Opens those of a listener to one debug JVM, and their meters.
     *
     * @throws IOException if that JVM is spoken to in TLS, whose files can't be read
     */
    DebugLanes open(ListenerConfig listener, DebugTarget target, TeeSwitch tee) throws IOException {
        DebugJvm jvm = Objects.requireNonNull(jvms.get(target.name()));
        WindowConfig limits = config.window();
        LaneSettings settings = new LaneSettings(
                listener.name(),
                target.name(),
                target.state(),
                listener.protocol().protocol(),
                config.maxBody(),
                limits.replyTimeout(),
                limits.connectWait(),
                tee,
                config.telemetry().traces() ? TraceSource.RANDOM : TraceSource.NONE,
                limits.overflow() == WindowConfig.Overflow.SHED,
                spill != null);
        boolean causal = listener.order() == ListenerConfig.Order.CAUSAL;
        Supplier<OrderGate> orders = () -> causal ? jvm.causal : Ordering.connection(jvm.clock, limits.orderWait());
        DebugLanes lanes = new DebugLanes(
                jvm.shared,
                settings,
                new DebugPeer(target.address(), listener.connectTimeout(), tls(listener.name(), target)),
                orders,
                jvm.memory,
                Math.min(limits.laneMemory(), jvm.memory.capacity()),
                spill,
                new LaneMetrics(registry, tags(Tags.of("listener", listener.name()), jvm)));
        opened.add(lanes);
        meters.add(tags(Tags.of("listener", listener.name()), jvm), lanes);
        return lanes;
    }

    /** Kept up to date with its files on the control loop. */
    private @Nullable ClientTls tls(String listener, DebugTarget target) throws IOException {
        if (target.tls() == null) {
            return null;
        }
        String setting = "listener " + listener + ", debug " + target.name() + ", tls";
        ClientTls tls = new ClientTls(setting, target.tls(), loops.laneHandshakes());
        PeriodicTask.start(loops.control().next(), "looking for new certificates", PACE, PACE, tls::refresh);
        return tls;
    }

    /** With several debug JVMs, meters say which one they are about. */
    Tags tags(Tags tags, DebugJvm jvm) {
        return jvms.size() == 1 ? tags : tags.and("debug", jvm.name);
    }

    /**
     * For how long something has waited, for the debug JVM of this name, that isn't cut into exchanges yet; in
     * nanoseconds.
     */
    long waited(String debug) {
        long now = System.nanoTime();
        long longest = 0;
        for (DebugLanes lanes : opened) {
            longest = lanes.debug().equals(debug) ? Math.max(longest, lanes.waited(now)) : longest;
        }
        return longest;
    }
}
