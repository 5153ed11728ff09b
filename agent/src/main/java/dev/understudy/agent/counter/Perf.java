package dev.understudy.agent.counter;

import java.nio.ByteBuffer;

/** The kernel's counters of the running thread; {@link PerfEvents}, or a test's. For any threads. */
interface Perf {
    /**
     * Opens a counter of the running thread, which counts at once.
     *
     * @param leader the descriptor of the group's first counter, or -1 to begin a group
     * @param userOnly whether what the kernel does for the thread is left out
     * @return its descriptor; below 0 if the kernel refuses
     */
    int open(CounterEvent event, int leader, boolean userOnly);

    /**
     * As {@link #open} but for the agent's thread: the descriptor is closed at once, and 0 or the error's number
     * returned.
     */
    int tried(CounterEvent event, boolean userOnly);

    /** Reads a group, its first counter first, in the machine's byte order; how many bytes were read. */
    long read(int leader, ByteBuffer into, long address);

    /** The memory's address of a direct buffer. */
    long address(ByteBuffer direct);

    void close(int descriptor);
}
