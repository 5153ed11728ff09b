package dev.understudy.aggregator;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * Hundreds of megabytes that differ everywhere, made from a seed as they are written, and known by their number and a
 * sum.
 */
record LongText(long length, long sum) {
    private static final int PIECE = 1 << 16;

    /** Is told, between pieces, how many bytes have been written, or read. */
    @FunctionalInterface
    interface Progress {
        void written(long bytes) throws IOException;
    }

    /** Writes so many bytes, no two pieces of which are alike. */
    static LongText write(OutputStream out, long bytes, long seed, Progress progress) throws IOException {
        byte[] piece = new byte[PIECE];
        new Random(seed).nextBytes(piece);
        CRC32C sum = new CRC32C();
        for (long at = 0; at < bytes; at += PIECE) {
            ByteBuffer.wrap(piece).putLong(at);
            progress.written(at);
            int some = (int) Math.min(PIECE, bytes - at);
            out.write(piece, 0, some);
            sum.update(piece, 0, some);
        }
        out.flush();
        return new LongText(bytes, sum.getValue());
    }

    /** Reads to the end. */
    static LongText read(InputStream in) throws IOException {
        return read(in, Long.MAX_VALUE, bytes -> {});
    }

    /** Reads to the end, or so many bytes. */
    static LongText read(InputStream in, long most, Progress progress) throws IOException {
        byte[] piece = new byte[PIECE];
        CRC32C sum = new CRC32C();
        long length = 0;
        while (length < most) {
            int some = in.read(piece, 0, (int) Math.min(piece.length, most - length));
            if (some < 0) {
                break;
            }
            sum.update(piece, 0, some);
            length += some;
            progress.written(length);
        }
        return new LongText(length, sum.getValue());
    }

    /** Reads all rows, of a number and a text each. */
    static LongText read(ResultSet rows, Progress progress) throws Exception {
        CRC32C sum = new CRC32C();
        long length = 0;
        while (rows.next()) {
            byte[] text = rows.getString(2).getBytes(StandardCharsets.US_ASCII);
            sum.update(rows.getInt(1));
            sum.update(text);
            length += text.length;
            progress.written(length);
        }
        return new LongText(length, sum.getValue());
    }
}
