package dev.understudy.divergence.wire.postgres.value;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.Splits;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes as the value of any type, in either format: rewritten without an error, alike each time, and small. */
class PgValueFuzzTest {
    private static final TextStyle OTHER = TextStyle.of(Map.of("timezone", "Europe/Berlin", "bytea_output", "escape"));

    /** A value is never read in pieces. The first two bytes are the type's oid. */
    @FuzzTest
    void values(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int type = (input[0] & 0xff) << 8 | (input[1] & 0xff);
        byte[] value = Arrays.copyOfRange(input, 2, input.length);
        Splits.repeatable(input, () -> {
            String text = PgValues.canonical(type, true, value);
            String read = PgValues.canonical(type, false, value);
            byte[] styled = PgValues.transcode(type, true, value, TextStyle.DEFAULT, false, OTHER);
            byte[] binary = PgValues.transcode(type, false, value, OTHER, true, TextStyle.DEFAULT);
            if (read != null && binary != null) {
                assertThat(PgValues.known(type)).isTrue();
            }
            return Objects.hash(text, read, Arrays.hashCode(styled), Arrays.hashCode(binary));
        });
    }
}
