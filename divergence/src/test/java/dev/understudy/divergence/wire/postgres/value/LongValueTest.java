package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgWriter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Few bytes that stand for a very long text. */
class LongValueTest {
    private static final int NUMERIC = 1700;
    private static final int NUMERIC_ARRAY = 1231;

    @Test
    void numericOfVeryManyDigits_isLeftAlone_inEitherFormat() {
        assertThat(PgValues.canonical(NUMERIC, true, numeric(5_000, 20_000))).hasSize(4 * 5_001 + 20_001);
        assertThat(PgValues.canonical(NUMERIC, true, numeric(5_001, 0))).isNull();
        assertThat(PgValues.canonical(NUMERIC, true, numeric(0, 20_001))).isNull();
    }

    @Test
    void arrayOfVeryLongNumerics_isLeftAlone() {
        assertThat(PgValues.canonical(NUMERIC_ARRAY, true, array(10))).hasSizeGreaterThan(200_000);
        assertThat(PgValues.canonical(NUMERIC_ARRAY, true, array(10_000))).isNull();
    }

    private static byte[] numeric(int weight, int scale) {
        return new PgWriter()
                .int16(1)
                .int16(weight)
                .int16(0)
                .int16(scale)
                .int16(1000)
                .toBytes();
    }

    private static byte[] array(int elements) {
        PgWriter array =
                new PgWriter().int32(1).int32(0).int32(NUMERIC).int32(elements).int32(1);
        for (int i = 0; i < elements; i++) {
            array.value(numeric(5_000, 0));
        }
        return array.toBytes();
    }
}
