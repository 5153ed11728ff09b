package dev.understudy.divergence.wire.postgres.value;

import java.nio.charset.StandardCharsets;

/**
 * One type's two encodings. Both directions throw an {@link IllegalArgumentException} or any other unchecked exception
 * for a value that isn't of the type; {@link PgValues} is where those end.
 */
interface Codec {
    /** What the type's output function writes for a value that its send function wrote. */
    String text(byte[] binary, TextStyle style);

    /** What the type's send function writes for a value that its output function wrote in this style. */
    byte[] binary(String text, TextStyle style);

    /** Whether text in one style must be rewritten for another. */
    default boolean styled() {
        return false;
    }

    /** Types whose two encodings are the same bytes. */
    Codec SAME = new Codec() {
        @Override
        public String text(byte[] binary, TextStyle style) {
            return new String(binary, StandardCharsets.UTF_8);
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    };
}
