package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.Execute;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a statement's parameters that are sent ahead of the others, in pieces (COM_STMT_SEND_LONG_DATA). Of a
 * long one a hash is kept, which depends on the pieces only where one of them was too long to be held itself.
 */
public final class LongData {
    private static final int BLOB = 0xfc;

    /** Memory of a value besides its bytes: its place, what it is written to, and its hash. */
    private static final long PER_VALUE = 400;

    private final Map<Integer, Value> values = new TreeMap<>();
    private long held;

    private static final class Value {
        private MySqlWriter bytes = new MySqlWriter();
        private @Nullable MessageDigest hash;
        private long length;
    }

    /**
     * A piece came.
     *
     * @param payload of the command, or how it begins
     * @param rest null if the payload is all of it
     */
    public void add(byte[] payload, @Nullable LongRest rest) {
        MySqlReader in = new MySqlReader(payload).skip(5);
        Value value = values.computeIfAbsent(in.int16(), place -> new Value());
        byte[] piece = rest == null ? in.rest() : rest.hash();
        MessageDigest hash = value.hash;
        if (hash == null && (rest != null || value.length + piece.length > LongPacket.LONG)) {
            hash = Sha256.digest();
            hash.update(value.bytes.toBytes());
            held -= value.length;
            value.bytes = new MySqlWriter();
            value.hash = hash;
        }
        if (hash == null) {
            value.bytes.bytes(piece);
            held += piece.length;
        } else {
            hash.update(piece);
        }
        value.length += rest == null ? piece.length : rest.length();
    }

    /** How many parameters have a value here. */
    public int size() {
        return values.size();
    }

    /** Memory that this takes. */
    public long heldMemory() {
        return 2 * held + PER_VALUE * values.size();
    }

    /** Bytes that are held. */
    public long heldBytes() {
        return held;
    }

    /** The values by their places, with the hash of each that is long; to be called once. */
    public Map<Integer, byte[]> values() {
        Map<Integer, byte[]> all = new TreeMap<>();
        values.forEach(
                (place, value) -> all.put(place, value.hash == null ? value.bytes.toBytes() : value.hash.digest()));
        return all;
    }

    /**
     * The values of a command, those that came ahead told apart from what is as short as a hash; nothing is here any
     * more.
     *
     * @param ahead the {@link #values}
     * @param rest what is known of all others together; null if they are known one by one
     */
    public List<BoundValue> take(Execute execute, Map<Integer, byte[]> ahead, @Nullable LongRest rest) {
        List<BoundValue> told = new ArrayList<>();
        for (int place = 0; place < execute.values().size(); place++) {
            told.add(named(execute.values().get(place), place));
        }
        if (rest != null) {
            ahead.forEach((place, value) -> told.add(named(new BoundValue("parameter " + place, BLOB, value), place)));
            told.add(rest.value(execute.types()));
        }
        forget();
        return told;
    }

    private BoundValue named(BoundValue read, int place) {
        Value value = values.get(place);
        return value == null || value.hash == null
                ? read
                : new BoundValue(read.name() + " all " + value.length + " bytes", read.type(), read.value());
    }

    /** Nothing was sent. */
    public void forget() {
        values.clear();
        held = 0;
    }
}
