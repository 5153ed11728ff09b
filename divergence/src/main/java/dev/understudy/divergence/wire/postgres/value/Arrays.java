package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;

/**
 * Arrays of a type that has a codec: number of dimensions, a flag for nulls, the element type, length and lower bound
 * of each dimension and the elements on the wire ({@code array_send}); nested braces in text.
 */
record Arrays(int element, Codec codec) implements Codec {
    /** PostgreSQL's MAXDIM. */
    static final int MOST_DIMENSIONS = 6;
    /** Arrays with a longer text are left alone: twelve bytes of an element can stand for thousands of digits. */
    private static final int LONGEST_TEXT = 16 << 20;

    @Override
    public String text(byte[] binary, TextStyle style) {
        PgReader reader = new PgReader(binary);
        int dimensions = reader.int32();
        reader.int32();
        if (reader.int32() != element || dimensions < 0 || dimensions > MOST_DIMENSIONS) {
            throw new IllegalArgumentException("not an array of " + element);
        }
        if (dimensions == 0) {
            return "{}";
        }
        int[] lengths = new int[dimensions];
        StringBuilder bounds = new StringBuilder();
        boolean shown = false;
        long elements = 1;
        for (int i = 0; i < dimensions; i++) {
            lengths[i] = reader.int32();
            int lower = reader.int32();
            shown |= lower != 1;
            elements = lengths[i] < 1 ? Long.MAX_VALUE : Math.multiplyExact(elements, (long) lengths[i]);
            bounds.append('[')
                    .append(lower)
                    .append(':')
                    .append(lower + lengths[i] - 1)
                    .append(']');
        }
        if (elements > reader.remaining() / 4) {
            throw new IllegalArgumentException("fewer elements than announced");
        }
        StringBuilder text = new StringBuilder(shown ? bounds + "=" : "");
        write(text, reader, lengths, 0, style);
        return text.toString();
    }

    private void write(StringBuilder text, PgReader reader, int[] lengths, int depth, TextStyle style) {
        text.append('{');
        for (int i = 0; i < lengths[depth]; i++) {
            text.append(i == 0 ? "" : ",");
            if (depth < lengths.length - 1) {
                write(text, reader, lengths, depth + 1, style);
            } else {
                byte[] value = reader.value();
                text.append(value == null ? "NULL" : quoted(codec.text(value, style)));
            }
            if (text.length() > LONGEST_TEXT) {
                throw new IllegalArgumentException("an array of too long a text");
            }
        }
        text.append('}');
    }

    private static String quoted(String value) {
        if (!mustQuote(value)) {
            return value;
        }
        StringBuilder quoted = new StringBuilder(value.length() + 8).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
        return quoted.append('"').toString();
    }

    private static boolean mustQuote(String value) {
        if (value.isEmpty() || value.equalsIgnoreCase("NULL")) {
            return true;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ' ' || (c >= '\t' && c <= '\r') || "\"\\{},".indexOf(c) >= 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public byte[] binary(String text, TextStyle style) {
        ArrayText parsed = ArrayText.parse(text);
        int dimensions = parsed.elements().isEmpty() ? 0 : parsed.lengths().size();
        PgWriter writer = new PgWriter().int32(dimensions);
        writer.int32(parsed.elements().contains(null) ? 1 : 0).int32(element);
        for (int i = 0; i < dimensions; i++) {
            writer.int32(parsed.lengths().get(i)).int32(parsed.lower().get(i));
        }
        for (String value : parsed.elements()) {
            writer.value(value == null ? null : codec.binary(value, style));
        }
        return writer.toBytes();
    }

    @Override
    public boolean styled() {
        return codec.styled();
    }
}
