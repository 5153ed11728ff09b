package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;

/** Points and boxes: one or two places, each two {@code float8}. */
record Shapes(int points) implements Codec {
    private static final Floats FLOAT8 = new Floats(false);

    @Override
    public String text(byte[] binary, TextStyle style) {
        Scalars.expect(binary, 16 * points);
        PgReader reader = new PgReader(binary);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < points; i++) {
            text.append(i == 0 ? "(" : ",(").append(FLOAT8.text(reader.bytes(8), style));
            text.append(',').append(FLOAT8.text(reader.bytes(8), style)).append(')');
        }
        return text.toString();
    }

    @Override
    public byte[] binary(String text, TextStyle style) {
        PgWriter writer = new PgWriter();
        String[] numbers =
                text.substring(1, text.length() - 1).replace("),(", ",").split(",", -1);
        Scalars.expect(new byte[numbers.length], 2 * points);
        for (String number : numbers) {
            writer.bytes(FLOAT8.binary(number, style));
        }
        return writer.toBytes();
    }

    @Override
    public boolean styled() {
        return true;
    }
}
