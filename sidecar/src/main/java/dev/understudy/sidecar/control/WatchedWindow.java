package dev.understudy.sidecar.control;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.window.WindowModel;

/**
 * One debug JVM's window as the control port sees it.
 *
 * @param debug the JVM's name
 * @param memory what all its lanes share
 */
public record WatchedWindow(String debug, WindowModel model, MemoryBudget memory) {}
