package dev.understudy.relay.stream;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * What is in a file of a spill that was kept, counted without the process that wrote it.
 *
 * @param whole blocks that somebody wants
 * @param wholeBytes their bytes
 * @param struck blocks that nobody wants any more
 * @param torn bytes at the end that are no whole block
 */
public record KeptBlocks(long whole, long wholeBytes, long struck, long torn) {
    /** Nothing. */
    public static final KeptBlocks NONE = new KeptBlocks(0, 0, 0, 0);

    /**
     * Counts what a file's bytes hold; their checksums are looked at by whoever reads the blocks.
     *
     * @param size bytes of the file
     * @throws IOException if it can't be read to its end
     */
    public static KeptBlocks in(InputStream file, long size) throws IOException {
        KeptBlocks counted = NONE;
        long left = size;
        while (left >= BlockWriter.HEADER) {
            ByteBuffer header = ByteBuffer.wrap(file.readNBytes(BlockWriter.HEADER));
            if (header.remaining() < BlockWriter.HEADER) {
                throw new EOFException(left + " bytes are missing");
            }
            left -= BlockWriter.HEADER;
            int magic = header.getInt(0);
            int records = header.getInt(BlockWriter.LENGTH_AT);
            boolean known = magic == BlockWriter.MAGIC || magic == BlockWriter.STRUCK;
            if (!known || records < 0 || records > left) {
                file.skipNBytes(left);
                return counted.with(0, 0, 0, BlockWriter.HEADER + left);
            }
            file.skipNBytes(records);
            left -= records;
            counted = magic == BlockWriter.MAGIC
                    ? counted.with(1, BlockWriter.HEADER + records, 0, 0)
                    : counted.with(0, 0, 1, 0);
        }
        file.skipNBytes(left);
        return counted.with(0, 0, 0, left);
    }

    /** Both together. */
    public KeptBlocks plus(KeptBlocks other) {
        return with(other.whole, other.wholeBytes, other.struck, other.torn);
    }

    private KeptBlocks with(long moreWhole, long moreBytes, long moreStruck, long moreTorn) {
        return new KeptBlocks(whole + moreWhole, wholeBytes + moreBytes, struck + moreStruck, torn + moreTorn);
    }
}
