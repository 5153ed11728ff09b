package dev.understudy.sidecar;

import dev.understudy.relay.lane.JvmMemory;
import dev.understudy.sidecar.config.SidecarConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps windows to half of the JVM's memory, so that relays find theirs whatever the debug side does. */
final class Headroom {
    private static final Logger LOG = LoggerFactory.getLogger(Headroom.class);

    private Headroom() {}

    /** The settings with windows that fit; says so if they had to be cut. */
    static SidecarConfig fit(SidecarConfig config, JvmMemory jvm) {
        long room = jvm.scarcer() / 2;
        long wanted = config.window().memory();
        if (wanted <= room) {
            return config;
        }
        LOG.warn(
                "window.memory: {} MiB is more than half of what this JVM has ({}): it is "
                        + "cut to {} MiB; lower it, or raise" + " -Xmx or -XX:MaxDirectMemorySize",
                wanted >> 20,
                jvm,
                room >> 20);
        return config.within(room);
    }
}
