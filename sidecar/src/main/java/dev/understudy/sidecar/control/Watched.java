package dev.understudy.sidecar.control;

import dev.understudy.relay.Listener;
import dev.understudy.sidecar.lane.DebugLanes;
import org.jspecify.annotations.Nullable;

/**
 * One listener as the control port sees it.
 *
 * @param lanes null if it only relays
 */
public record Watched(
        String name, Listener listener, @Nullable DebugLanes lanes) {}
