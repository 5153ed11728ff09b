package dev.understudy.sidecar.control;

import dev.understudy.relay.Listener;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.tee.Tee;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One listener as the control port sees it.
 *
 * @param tee null if it only relays
 * @param lanes those to each of its debug JVMs
 */
public record Watched(
        String name, Listener listener, @Nullable Tee tee, List<DebugLanes> lanes) {
    public Watched {
        lanes = List.copyOf(lanes);
    }

    /** The lanes to its first debug JVM; null if it only relays. */
    @Nullable
    DebugLanes first() {
        return lanes.isEmpty() ? null : lanes.get(0);
    }
}
