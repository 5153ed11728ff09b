package dev.understudy.divergence.content.coding;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.brotli.dec.BrotliInputStream;

/** Undoes Brotli (RFC 7932) and Zstandard (RFC 8878, with RFC 9659's window), piece by piece. */
final class StreamDecoding {
    /** The largest window that a reply may need, RFC 9659: 8 MiB. */
    private static final int LARGEST_WINDOW = 23;

    private StreamDecoding() {}

    /** Opens a decoder of bytes. */
    private interface Opening {
        InputStream open(InputStream coded) throws IOException;
    }

    static DecodedContent brotli(byte[] coded, int limit) {
        return decode(coded, limit, BrotliInputStream::new);
    }

    static DecodedContent zstandard(byte[] coded, int limit) {
        return decode(coded, limit, input -> new ZstdInputStreamNoFinalizer(input).setLongMax(LARGEST_WINDOW));
    }

    private static DecodedContent decode(byte[] coded, int limit, Opening decoder) {
        BoundedBytes content = new BoundedBytes(limit);
        boolean intact = false;
        try (InputStream stream = decoder.open(new ByteArrayInputStream(coded))) {
            intact = content.addAll(stream);
        } catch (IOException | RuntimeException damaged) {
            intact = false;
        }
        return DecodedContent.of(content, intact);
    }
}
