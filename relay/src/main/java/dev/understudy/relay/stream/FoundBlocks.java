package dev.understudy.relay.stream;

/** Is told, on the spill's thread, what another process left in a spill that is kept. Must not throw. */
public interface FoundBlocks {

    /**
     * A whole block.
     *
     * @param block valid during the call only; its data has to be copied
     * @return whether it is wanted; it is struck out otherwise
     */
    boolean block(BlockReader block, SpilledBlock place);

    /** Something that is no whole block, and is left out. */
    void damaged(String what);

    /** That was all. */
    void all();
}
