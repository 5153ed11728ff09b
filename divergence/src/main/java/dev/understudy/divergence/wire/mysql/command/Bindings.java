package dev.understudy.divergence.wire.mysql.command;

import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types, names and values as they are bound.
 *
 * @param types one for each value, for the next time when the client leaves them out
 */
record Bindings(int[] types, List<BoundValue> values) {
    private static final int MOST = 65_535;

    /** A number of values that can be trusted as a size. */
    static int count(MySqlReader in) {
        long count = in.number();
        if (count < 0 || count > MOST || count > 8L * in.remaining()) {
            throw new MalformedPacketException(count + " values");
        }
        return (int) count;
    }

    /** Reads the types alone. */
    static int[] types(MySqlReader in, int count, boolean named, int @Nullable [] known) {
        in.bytes((count + 7) / 8);
        return types(in, new String[count], named, known);
    }

    private static int[] types(MySqlReader in, String[] names, boolean named, int @Nullable [] known) {
        boolean typesFollow = in.int8() == 1;
        int[] types = new int[names.length];
        for (int i = 0; i < types.length; i++) {
            names[i] = "";
            if (typesFollow) {
                types[i] = in.int16();
                if (named) {
                    names[i] = new String(in.value(), StandardCharsets.UTF_8);
                }
            } else if (known != null && i < known.length) {
                types[i] = known[i];
            } else {
                throw new MalformedPacketException("values without types");
            }
        }
        return types;
    }

    static Bindings read(MySqlReader in, int count, boolean named) {
        return read(in, count, named, null, Map.of());
    }

    /**
     * Reads them.
     *
     * @param known the types of the last time; null if there was none
     * @param sent values that were sent before, by their places
     */
    static Bindings read(MySqlReader in, int count, boolean named, int @Nullable [] known, Map<Integer, byte[]> sent) {
        byte[] nulls = in.bytes((count + 7) / 8);
        String[] names = new String[count];
        int[] types = types(in, names, named, known);
        List<BoundValue> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] before = sent.get(i);
            if (before != null) {
                values.add(new BoundValue(names[i], types[i], before));
            } else if ((nulls[i / 8] >> (i % 8) & 1) != 0) {
                values.add(new BoundValue(names[i], types[i], null));
            } else {
                values.add(new BoundValue(names[i], types[i], BoundValue.read(in, types[i])));
            }
        }
        return new Bindings(types, values);
    }
}
