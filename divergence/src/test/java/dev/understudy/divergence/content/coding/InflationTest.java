package dev.understudy.divergence.content.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InflationTest {
    private static final byte[] TEXT = "to be or not to be, that is the question".getBytes(StandardCharsets.US_ASCII);

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] content, boolean raw) {
        Deflater deflater = new Deflater(9, raw);
        deflater.setInput(content);
        deflater.finish();
        byte[] out = new byte[1000];
        int length = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, length);
    }

    private static byte @Nullable [] decoded(String coding, byte[] coded, int limit) {
        DecodedContent content = ContentCoding.of(List.of(coding)).decode(coded, limit);
        return content.isRead() ? content.bytes() : null;
    }

    @Test
    void codedContent_isDecoded() throws IOException {
        assertThat(decoded("gzip", gzip(TEXT), 1000)).isEqualTo(TEXT);
        assertThat(decoded("X-GZIP", gzip(new byte[0]), 1000)).isEmpty();
        assertThat(decoded("deflate", deflate(TEXT, false), 1000)).isEqualTo(TEXT);
        assertThat(decoded("deflate", deflate(TEXT, true), 1000)).isEqualTo(TEXT);
        assertThat(decoded("compress", TEXT, 1000)).isNull();
    }

    @Test
    void optionalGzipFields_arePassedOver() throws IOException {
        byte[] plain = gzip(TEXT);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(plain, 0, 3);
        out.write(4 + 8 + 16 + 2);
        out.write(plain, 4, 6);
        out.writeBytes(new byte[] {2, 0, 'x', 'y', 'n', 'a', 'm', 'e', 0, 'c', 0, 7, 7});
        out.write(plain, 10, plain.length - 10);
        assertThat(decoded("gzip", out.toByteArray(), 1000)).isEqualTo(TEXT);
    }

    @Test
    void bomb_stopsAtTheLimit() throws IOException {
        byte[] bomb = gzip(new byte[50_000_000]);
        assertThat(decoded("gzip", bomb, 1_000_000)).isNull();
        assertThat(decoded("gzip", gzip(new byte[1000]), 1000)).hasSize(1000);
        assertThat(decoded("gzip", gzip(new byte[1001]), 1000)).isNull();
    }

    @Test
    void damageAnywhere_isNoticed() throws IOException {
        byte[] good = gzip(TEXT);
        for (int i = 0; i < good.length; i++) {
            assertThat(decoded("gzip", Arrays.copyOf(good, i), 1000))
                    .as("cut at %d", i)
                    .isNull();
        }
        for (int i = 10; i < good.length; i++) { // the header's time and system may be anything
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = good.clone();
                bad[i] ^= (byte) (1 << bit);
                byte[] content = decoded("gzip", bad, 1000);
                boolean padding = content != null && Arrays.equals(content, TEXT); // unused bits of the last byte
                assertThat(content == null || padding)
                        .as("bit %d of byte %d", bit, i)
                        .isTrue();
            }
        }
        assertThat(decoded("gzip", Arrays.copyOf(good, good.length + 1), 1000)).isNull();
    }

    @Test
    void noise_neverThrows() throws IOException {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            byte[] start = {0x1f, (byte) 0x8b, 8, (byte) random.nextInt(256)};
            System.arraycopy(start, 0, bytes, 0, Math.min(bytes.length, 4));
            decoded("gzip", bytes, 1000);
            decoded("deflate", bytes, 1000);
        }
    }
}
