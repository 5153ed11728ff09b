package dev.understudy.divergence.wire.postgres.value;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which codec a type has, by the oids of {@code pg_type.dat}, which never change between versions. */
final class Types {
    private static final Map<Integer, Codec> CODECS = new HashMap<>();

    static {
        type(16, 1000, new Scalars.Bool());
        type(17, 1001, new Scalars.Bytes());
        type(18, 1002, Codec.SAME); // "char"
        type(19, 1003, Codec.SAME); // name
        type(20, 1016, new Scalars.Int(8, true));
        type(21, 1005, new Scalars.Int(2, true));
        type(23, 1007, new Scalars.Int(4, true));
        type(25, 1009, Codec.SAME); // text
        type(26, 1028, new Scalars.Int(4, false)); // oid
        type(28, 1011, new Scalars.Int(4, false)); // xid
        type(29, 1012, new Scalars.Int(4, false)); // cid
        type(114, 199, Codec.SAME); // json
        type(142, 143, Codec.SAME); // xml
        type(700, 1021, new Floats(true));
        type(701, 1022, new Floats(false));
        type(1042, 1014, Codec.SAME); // bpchar
        type(1043, 1015, Codec.SAME); // varchar
        type(1082, 1182, new Temporals.Day());
        type(1083, 1183, new Temporals.Time());
        type(1114, 1115, new Temporals.Stamp());
        type(1184, 1185, new Temporals.ZonedStamp());
        type(1186, 1187, new Intervals());
        type(1266, 1270, new Temporals.ZonedTime());
        type(1700, 1231, new Numerics());
        type(2950, 2951, new Scalars.Uuid());
        type(3802, 3807, new Scalars.Jsonb());
        CODECS.put(600, new Shapes(1)); // point
        CODECS.put(603, new Shapes(2)); // box
        CODECS.put(705, Codec.SAME); // unknown
        CODECS.put(2278, Codec.SAME); // void
    }

    private Types() {}

    static @Nullable Codec codec(int type) {
        return CODECS.get(type);
    }

    private static void type(int type, int array, Codec codec) {
        CODECS.put(type, codec);
        CODECS.put(array, new Arrays(type, codec));
    }
}
