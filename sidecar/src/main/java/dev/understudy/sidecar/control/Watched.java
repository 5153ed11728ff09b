package dev.understudy.sidecar.control;

import dev.understudy.relay.Listener;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.tee.Tee;
import org.jspecify.annotations.Nullable;

/**
 * One listener as the control port sees it.
 *
 * @param tee null if it only relays
 * @param lanes null if it only relays
 */
public record Watched(
        String name,
        Listener listener,
        @Nullable Tee tee,
        @Nullable DebugLanes lanes) {}
