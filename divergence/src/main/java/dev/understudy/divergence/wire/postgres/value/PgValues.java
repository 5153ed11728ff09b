package dev.understudy.divergence.wire.postgres.value;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rewrites a value from one encoding to the other, or into a shape that doesn't depend on the encoding. Stateless. */
public final class PgValues {
    private PgValues() {}

    /** Whether this type can be rewritten at all. */
    public static boolean known(int type) {
        return Types.codec(type) != null;
    }

    /**
     * Whether all values of this type are the same bytes in both formats and styles, so that there is nothing to do.
     */
    public static boolean same(int type, boolean binary, TextStyle style, boolean toBinary, TextStyle toStyle) {
        Codec codec = Types.codec(type);
        if (codec == Codec.SAME) {
            return true;
        }
        return binary == toBinary && (binary || style.equals(toStyle) || (codec != null && !codec.styled()));
    }

    /**
     * The value as the server would have sent it in another format or to a session with another style.
     *
     * @param type the type's oid
     * @param binary whether {@code value} is in binary format
     * @param style of the session that {@code value} was sent to
     * @param toBinary the wanted format
     * @param toStyle of the session that it is for
     * @return null if that isn't known
     */
    public static byte @Nullable [] transcode(
            int type, boolean binary, byte[] value, TextStyle style, boolean toBinary, TextStyle toStyle) {
        if (same(type, binary, style, toBinary, toStyle)) {
            return value;
        }
        Codec codec = Types.codec(type);
        if (codec == null) {
            return null;
        }
        try {
            byte[] sent = binary ? value : codec.binary(new String(value, StandardCharsets.UTF_8), style);
            return toBinary ? sent : codec.text(sent, toStyle).getBytes(StandardCharsets.UTF_8);
        } catch (RuntimeException notOfTheType) {
            return null;
        }
    }

    /**
     * The value in a shape that is the same for both encodings.
     *
     * @return null if the type has no codec or the value isn't of the type
     */
    public static @Nullable String canonical(int type, boolean binary, byte[] value) {
        Codec codec = Types.codec(type);
        if (codec == null) {
            return null;
        }
        try {
            byte[] sent = binary ? value : codec.binary(new String(value, StandardCharsets.UTF_8), TextStyle.DEFAULT);
            return codec.text(sent, TextStyle.DEFAULT);
        } catch (RuntimeException notOfTheType) {
            return null;
        }
    }
}
