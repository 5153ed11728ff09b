package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.MalformedPacketException;

/**
 * An answer that can't be read, up to where the next one begins: with the number 1, as the first packet of each answer.
 * Confined to the connection's lane loop.
 */
final class LostAnswer implements Answering {
    /** After so many packets numbers begin again. */
    private static final int ROUND = 256;

    private int last;

    /** @param sequence number of the packet that couldn't be read */
    LostAnswer(int sequence) {
        this.last = sequence;
    }

    /**
     * Whether the packet of this number is part of it.
     *
     * @throws MalformedPacketException if that isn't known
     */
    boolean has(int sequence) {
        if (sequence != 1) {
            last = sequence;
            return true;
        }
        if ((last + 1) % ROUND == sequence) {
            throw new MalformedPacketException("an answer that can't be read, whose end isn't known");
        }
        return false;
    }

    @Override
    public boolean read(byte[] payload, long nanos) {
        return false;
    }
}
