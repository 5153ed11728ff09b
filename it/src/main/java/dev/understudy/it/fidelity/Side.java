package dev.understudy.it.fidelity;

import java.nio.file.Path;

/**
 * One of the two that run a suite.
 *
 * @param port where it finds the server, or what stands in for it, on loopback
 * @param debug whether it is the one that is answered from the recording
 * @param folder for its files
 * @param transcript of what its clients see
 */
public record Side(int port, boolean debug, Path folder, Transcript transcript) {
    private static final int BLOCK = 8;

    /** Known to the server on production's side only. */
    public String user() {
        return debug ? "nobody" : "bench";
    }

    /**
     * What this side does nth of {@code count} pieces of work: production as they come, the debug side eight by eight
     * backwards.
     */
    public int inOrder(int nth, int count) {
        int block = nth - nth % BLOCK;
        return debug ? block + Math.min(BLOCK, count - block) - 1 - nth % BLOCK : nth;
    }
}
