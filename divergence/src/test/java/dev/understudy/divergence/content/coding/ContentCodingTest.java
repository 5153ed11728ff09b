package dev.understudy.divergence.content.coding;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class ContentCodingTest {
    private static final String BROTLI =
            "G2cEAESrNZXdiX7IwqGr8FVAuooQEjtd+03x2Gf6KVV5IDQc0eQoOk5+D9R6vjhh9GN0WX9xPd3RBYuR"
                    + "GATn2xtd+B9kK2pczGRxYxImSTIq2YSUljyrWVstwtk9LfuqZlWzqpZ+a/lXVWEJa9aYkZkyM2bOLJglaDksYc0aczJX5sbcmQfzBD2HJa"
                    + "xH+8F2EBxv6AKj5ZE+MpZqnd7JFQbBow5e0EXNp0h/";
    private static final int LIMIT = 100_000;

    @Test
    void header_namesTheCodingsInTheirOrder() {
        assertThat(ContentCoding.of(List.of("GZip, identity", "br")).names()).containsExactly("gzip", "br");
        assertThat(ContentCoding.of(List.of("", "identity")).isNone()).isTrue();
        assertThat(ContentCoding.of(List.of("gzip, gzip, gzip, gzip, gzip")).isKnown())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "zstd", "gzip", "deflate"})
    void randomDamage_neverThrows_norTakesLong(String name) {
        byte[] good = name.equals("zstd")
                ? Zstd.compress(text(), 5)
                : Base64.getDecoder().decode(BROTLI);
        ContentCoding coding = ContentCoding.of(List.of(name));

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            for (int seed = 0; seed < 5000; seed++) {
                Random random = new Random(seed);
                byte[] bad = good.clone();
                for (int i = 0; i <= random.nextInt(4); i++) {
                    bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
                }
                DecodedContent content = coding.decode(bad, LIMIT);
                assertThat(content.bytes().length).as("seed %d", seed).isLessThanOrEqualTo(LIMIT);
            }
        });
    }

    @Test
    void hugeWindows_andLengths_areRefusedBeforeAnythingIsKept() {
        ByteBuffer frame = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(0xFD2FB528)
                .put((byte) 0xC0)
                .put((byte) 0xF8)
                .putLong(1L << 62)
                .put(new byte[] {1, 0, 0});
        byte[] zstandard = new byte[frame.position()];
        frame.flip().get(zstandard);

        assertThat(ContentCoding.of(List.of("zstd")).decode(zstandard, LIMIT).result())
                .isEqualTo(DecodedContent.Result.DAMAGED);
    }

    private static byte[] text() {
        return "to be or not to be, that is the question ".repeat(40).getBytes(StandardCharsets.US_ASCII);
    }
}
