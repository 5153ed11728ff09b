package dev.understudy.aggregator.exchange;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Sums over what replies say, to tell whether two say the same: CRC-32C beside the length. Not for several threads. */
public final class Checksum {
    private final CRC32C sum = new CRC32C();
    private long length;

    /** The sum of all these bytes. */
    public static long of(byte[] bytes) {
        return new Checksum().add(bytes).value();
    }

    /** Goes on with these bytes, and their number. */
    public Checksum add(byte[] bytes) {
        sum.update(bytes);
        return add(bytes.length);
    }

    /** Goes on with these bytes alone: the number of all such is to be added after the last of them. */
    public Checksum addPiece(ByteBuffer bytes) {
        sum.update(bytes);
        return this;
    }

    /** Goes on with a number. */
    public Checksum add(int number) {
        sum.update(number >>> 24);
        sum.update(number >>> 16);
        sum.update(number >>> 8);
        sum.update(number);
        length = length * 31 + number;
        return this;
    }

    /** The sum so far. */
    public long value() {
        return sum.getValue() << 32 ^ length;
    }
}
