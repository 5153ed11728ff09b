package dev.understudy.sidecar.flame;

import java.util.List;

/**
 * All sampled allocations at one time. Immutable, but for its arrays, which are nobody else's.
 *
 * @param names of frames, and of what was made
 * @param agents that with the most bytes first
 */
public record Allocated(List<String> names, List<Agent> agents) {
    public Allocated {
        names = List.copyOf(names);
        agents = List.copyOf(agents);
    }

    /**
     * Those of one debug JVM.
     *
     * @param perSecond how many samples there may be in a second
     * @param samples how many there were
     * @param bytes for how many bytes they stand
     * @param left how many of these aren't among the nodes, for want of room
     * @param allocated how many the JVM allocated in all meanwhile, by its own count; -1 if it can't tell
     * @param nodes three numbers each: its parent's place among the nodes, -1 for none; the number of its name; its own bytes
     */
    public record Agent(
            String name, int perSecond, long samples, long bytes, long left, long allocated, long[] nodes) {}
}
