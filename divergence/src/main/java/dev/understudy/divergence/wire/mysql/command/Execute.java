package dev.understudy.divergence.wire.mysql.command;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What COM_STMT_EXECUTE, or MariaDB's COM_STMT_BULK_EXECUTE, carries.
 *
 * @param cursor whether the rows are to be fetched
 * @param types of the parameters, for the next time when the client leaves them out
 * @param values of the parameters; for a bulk one value that stands for all of them
 */
public record Execute(boolean cursor, int @Nullable [] types, List<BoundValue> values) {
    /** The statement that was prepared last, in MariaDB's pipelines. */
    public static final int LAST_PREPARED = -1;

    private static final int READ_ONLY_CURSOR = 0x01;
    private static final int COUNT_FOLLOWS = 0x08;
    private static final int BULK_TYPES = 0x80;

    /** The number of the statement that a COM_STMT_… is about. */
    public static int statement(byte[] payload) {
        return new MySqlReader(payload).skip(1).int32();
    }

    /**
     * Reads the payload of a COM_STMT_EXECUTE.
     *
     * @param parameters how many the statement has
     * @param known their types the last time; null if there was none
     * @param sent values that were sent in COM_STMT_SEND_LONG_DATA, by their places
     */
    public static Execute read(
            byte[] payload, Capabilities agreed, int parameters, int @Nullable [] known, Map<Integer, byte[]> sent) {
        MySqlReader in = new MySqlReader(payload).skip(5);
        int flags = in.int8();
        in.int32();
        boolean named = agreed.has(Capabilities.QUERY_ATTRIBUTES);
        int count = parameters;
        if (named && (flags & COUNT_FOLLOWS) != 0) {
            count = Bindings.count(in);
        }
        boolean cursor = (flags & READ_ONLY_CURSOR) != 0;
        if (count == 0) {
            return new Execute(cursor, known, List.of());
        }
        Bindings bindings = Bindings.read(in, count, named, known, sent);
        return new Execute(cursor, bindings.types(), bindings.values());
    }

    /**
     * Reads how the payload of either command begins, up to the values, of which there are none then.
     *
     * @param parameters how many the statement has
     * @param known their types the last time; null if there was none
     */
    public static Execute readBeginning(byte[] payload, Capabilities agreed, int parameters, int @Nullable [] known) {
        MySqlReader in = new MySqlReader(payload);
        if (in.int8() == CommandCode.STMT_BULK_EXECUTE) {
            return new Execute(false, readBulk(payload, parameters, known).types(), List.of());
        }
        int flags = in.skip(4).int8();
        in.int32();
        boolean named = agreed.has(Capabilities.QUERY_ATTRIBUTES);
        int count = named && (flags & COUNT_FOLLOWS) != 0 ? Bindings.count(in) : parameters;
        return new Execute((flags & READ_ONLY_CURSOR) != 0, Bindings.types(in, count, named, known), List.of());
    }

    /** Reads the payload of a COM_STMT_BULK_EXECUTE. */
    public static Execute readBulk(byte[] payload, int parameters, int @Nullable [] known) {
        MySqlReader in = new MySqlReader(payload).skip(5);
        int flags = in.int16();
        int[] types = known;
        if ((flags & BULK_TYPES) != 0) {
            types = new int[parameters];
            for (int i = 0; i < parameters; i++) {
                types[i] = in.int16();
            }
        }
        if (types == null) {
            throw new MalformedPacketException("a bulk without types");
        }
        MySqlWriter all = new MySqlWriter().int16(flags & ~BULK_TYPES);
        for (int type : types) {
            all.int16(type);
        }
        byte[] value = all.bytes(in.rest()).toBytes();
        return new Execute(false, types, List.of(new BoundValue("bulk", 0xfc, value)));
    }
}
