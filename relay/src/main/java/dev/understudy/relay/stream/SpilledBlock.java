package dev.understudy.relay.stream;

/** A block that lies in a segment file; where, is for the spill's own thread, which may move it. */
public final class SpilledBlock {
    private final int length;

    // confined to the spill's thread
    Segment segment;
    long offset;

    SpilledBlock(Segment segment, long offset, int length) {
        this.segment = segment;
        this.offset = offset;
        this.length = length;
    }

    /** Bytes of the block. */
    public int length() {
        return length;
    }
}
