package dev.understudy.agent.value;

import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StringBuilder} or {@link StringBuffer} holds, read from its fields: a buffer's methods wait for its
 * lock. For any threads.
 */
final class TextBuffers {
    private static final Class<?> SUPERCLASS = StringBuilder.class.getSuperclass();
    /** The characters in UTF-16 take two bytes each, in the machine's order. */
    private static final Charset WIDE =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;

    private final @Nullable Field bytes;
    private final @Nullable Field coder;
    private final @Nullable Field count;

    /** @param opener opens the JDK's classes to this one */
    TextBuffers(Consumer<Class<?>> opener) {
        this.bytes = field("value", opener);
        this.coder = field("coder", opener);
        this.count = field("count", opener);
    }

    private static @Nullable Field field(String name, Consumer<Class<?>> opener) {
        try {
            Field field = SUPERCLASS.getDeclaredField(name);
            if (!field.trySetAccessible()) {
                opener.accept(SUPERCLASS);
                if (!field.trySetAccessible()) {
                    return null;
                }
            }
            return field;
        } catch (NoSuchFieldException | RuntimeException | LinkageError otherJdk) {
            return null;
        }
    }

    static boolean isOne(Object value) {
        return value instanceof StringBuilder || value instanceof StringBuffer;
    }

    /** How many characters it has; -1 if that can't be read. */
    int length(Object buffer) {
        try {
            return count == null ? -1 : count.getInt(buffer);
        } catch (IllegalAccessException | RuntimeException kept) {
            return -1;
        }
    }

    /**
     * At most so many characters of its beginning; it may change meanwhile. A {@link ValueFault} if it can't be read.
     */
    Object text(Object buffer, int most) {
        int length = Math.min(length(buffer), most);
        try {
            if (length >= 0 && bytes != null && coder != null) {
                boolean wide = coder.getByte(buffer) != 0;
                byte[] held = (byte[]) bytes.get(buffer);
                return wide
                        ? new String(held, 0, Math.min(2 * length, held.length), WIDE)
                        : new String(held, 0, Math.min(length, held.length), StandardCharsets.ISO_8859_1);
            }
        } catch (IllegalAccessException | RuntimeException kept) {
            // then it can't be read
        }
        return new ValueFault("this JVM keeps what a " + Known.shortName(buffer.getClass()) + " holds to itself");
    }
}
