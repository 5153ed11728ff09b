package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Values that come ahead of their command, as the command then has them. */
class LongDataTest {
    private static final int BLOB = 0xfc;
    private static final Capabilities AGREED = new Capabilities(Capabilities.PROTOCOL_41);

    private final LongData data = new LongData();

    @Test
    void shortValue_isWhatItsPiecesAreTogether() {
        add(1, "two ", "pieces");
        add(0, "one");
        assertThat(data.size()).isEqualTo(2);
        assertThat(data.heldBytes()).isEqualTo(13);
        assertThat(executed(2)).containsExactly(value("", "one"), value("", "two pieces"));
        assertThat(data.size()).as("afterwards").isZero();
        assertThat(data.heldBytes()).isZero();
    }

    @Test
    void longValue_isItsLengthAndHash() {
        byte[] long0 = bytes(LongPacket.LONG + 1, 1);
        add(0, long0);
        assertThat(data.heldBytes()).isZero();
        List<String> values = executed(1);
        assertThat(values).containsExactly(value(" all " + long0.length + " bytes", sha256(long0)));
        add(0, sha256(long0));
        assertThat(executed(1)).as("a value that is like the hash").isNotEqualTo(values);
    }

    @Test
    void valueOfAnyLength_dependsOnItsBytesAlone_howeverItIsCut() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Map<Integer, byte[]> expected = new TreeMap<>();
            int places = 1 + random.nextInt(3);
            long held = 0;
            for (int place = 0; place < places; place++) {
                byte[] value = bytes(
                        random.nextInt(2) == 0 ? random.nextInt(1000) : LongPacket.LONG - 2 + random.nextInt(5), seed);
                held += value.length > LongPacket.LONG ? 0 : value.length;
                expected.put(place, value.length > LongPacket.LONG ? sha256(value) : value);
                pieces(value, random).forEach(add(place));
            }
            assertThat(data.heldBytes()).as("seed %d", seed).isEqualTo(held);
            Map<Integer, byte[]> values = data.values();
            assertThat(values.keySet()).as("seed %d", seed).isEqualTo(expected.keySet());
            expected.forEach((place, value) -> assertThat(values.get(place)).isEqualTo(value));
            data.forget();
            assertThat(data.heldBytes()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void pieceTooLongToBeHeld_countsByItsHash() {
        LongRest one = rest(bytes(3 << 20, 1));
        byte[] prefix = payload(0, new byte[0]);
        data.add(prefix, one);
        List<String> values = executed(1);
        assertThat(values).containsExactly(value(" all " + one.length() + " bytes", sha256(one.hash())));
        data.add(prefix, rest(bytes(3 << 20, 1)));
        assertThat(executed(1)).isEqualTo(values);
        data.add(prefix, rest(bytes(3 << 20, 2)));
        assertThat(executed(1)).isNotEqualTo(values);
        add(0, "something before");
        data.add(prefix, one);
        assertThat(executed(1)).isNotEqualTo(values);
    }

    @Test
    void commandTooLongToBeHeld_keepsWhatCameAhead() {
        add(1, "ahead");
        LongRest rest = new LongRest(20 << 20, new byte[32], List.of());
        List<String> values = executed(2, rest);
        assertThat(values).hasSize(2).first().isEqualTo(value("parameter 1", "ahead"));
        assertThat(data.size()).isZero();
        assertThat(executed(2, rest)).as("without it").containsExactly(values.get(1));
        assertThat(executed(2, new LongRest(20 << 20, bytes(32, 5), List.of()))).doesNotContain(values.get(1));
        assertThat(executed(2, new LongRest(21 << 20, new byte[32], List.of()))).doesNotContain(values.get(1));
    }

    @Test
    void typesOfACommand_areForTheNextThatLeavesThemOut() {
        add(0, "a");
        Execution first = Execution.read(command(1), null, AGREED, 1, null, data);
        assertThat(first.types()).containsExactly(BLOB);
        add(0, "a");
        byte[] without = new MySqlWriter()
                .int8(CommandCode.STMT_EXECUTE)
                .int32(7)
                .int8(1)
                .int32(1)
                .int8(0)
                .int8(0)
                .toBytes();
        Execution next = Execution.read(without, null, AGREED, 1, first.types(), data);
        assertThat(told(next.values())).isEqualTo(told(first.values()));
        assertThat(next.cursor()).isTrue();
        assertThat(first.cursor()).isFalse();
    }

    @Test
    void bulk_countsByAllItsBytes() {
        byte[] bulk = new MySqlWriter()
                .int8(CommandCode.STMT_BULK_EXECUTE)
                .int32(7)
                .int16(0x80)
                .int16(3)
                .bytes(new byte[] {0, 1, 0, 0, 0})
                .toBytes();
        Execution one = Execution.read(bulk, null, AGREED, 1, null, data);
        bulk[bulk.length - 1] = 9;
        Execution other = Execution.read(bulk, null, AGREED, 1, null, data);
        assertThat(one.types()).containsExactly(3);
        assertThat(one.values()).hasSize(1);
        assertThat(told(other.values())).isNotEqualTo(told(one.values()));
    }

    /** A COM_STMT_EXECUTE of so many blobs, all of which came ahead. */
    private List<String> executed(int parameters) {
        return executed(parameters, null);
    }

    private List<String> executed(int parameters, @Nullable LongRest rest) {
        return told(Execution.read(command(parameters), rest, AGREED, parameters, null, data)
                .values());
    }

    /** All that counts of values. */
    private static List<String> told(List<BoundValue> values) {
        return values.stream()
                .map(value -> HexFormat.of().formatHex(value.canonical()))
                .toList();
    }

    private static byte[] command(int parameters) {
        MySqlWriter out = new MySqlWriter()
                .int8(CommandCode.STMT_EXECUTE)
                .int32(7)
                .int8(0)
                .int32(1)
                .bytes(new byte[(parameters + 7) / 8])
                .int8(1);
        for (int i = 0; i < parameters; i++) {
            out.int16(BLOB);
        }
        return out.toBytes();
    }

    private static String value(String name, String text) {
        return value(name, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String value(String name, byte[] bytes) {
        return told(List.of(new BoundValue(name, BLOB, bytes))).get(0);
    }

    private void add(int place, String... pieces) {
        for (String piece : pieces) {
            add(place, piece.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void add(int place, byte[] piece) {
        data.add(payload(place, piece), null);
    }

    private Consumer<byte[]> add(int place) {
        return piece -> add(place, piece);
    }

    private static byte[] payload(int place, byte[] piece) {
        return new MySqlWriter()
                .int8(CommandCode.STMT_SEND_LONG_DATA)
                .int32(7)
                .int16(place)
                .bytes(piece)
                .toBytes();
    }

    private static List<byte[]> pieces(byte[] value, Random random) {
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < value.length; ) {
            int end = Math.min(value.length, at + 1 + random.nextInt(value.length));
            pieces.add(Arrays.copyOfRange(value, at, end));
            at = end;
        }
        return pieces.isEmpty() ? List.of(value) : pieces;
    }

    private static LongRest rest(byte[] piece) {
        return new LongRest(piece.length, sha256(piece), List.of());
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] sha256(byte[] bytes) {
        return Sha256.of(bytes);
    }
}
