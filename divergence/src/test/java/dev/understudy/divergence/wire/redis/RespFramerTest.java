package dev.understudy.divergence.wire.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RespFramerTest {
    private final List<RespValue> values = new ArrayList<>();
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
    private final List<String> unframed = new ArrayList<>();

    private final RespSink sink = new RespSink() {
        @Override
        public void value(RespValue value, Sent sent) {
            values.add(value);
            seen.writeBytes(sent.bytes());
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            unframed.add(reason);
            seen.writeBytes(remaining);
        }
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "-ERR no\r\n",
                ":-7\r\n",
                "$3\r\nfoo\r\n",
                "$0\r\n\r\n",
                "$-1\r\n",
                "*-1\r\n",
                "*0\r\n",
                "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
                "_\r\n",
                "#t\r\n",
                ",1.5e3\r\n",
                "(3492890328409238509324850943850943825024385\r\n",
                "!5\r\nERR x\r\n",
                "=8\r\ntxt:text\r\n",
                "%1\r\n+key\r\n~2\r\n:1\r\n:2\r\n",
                ">2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n",
                "|1\r\n+ttl\r\n:9\r\n$3\r\nfoo\r\n",
                "$5\r\na\r\nb\n\r\n"
            })
    void value_isReadAndWrittenBackTheSame(String wire) {
        feed(new RespFramer(sink, 1000), wire);

        assertThat(unframed).isEmpty();
        assertThat(values).hasSize(1);
        assertThat(values.get(0).encode()).isEqualTo(wire.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void inlineCommand_isSplitAsRedisDoes() {
        feed(new RespFramer(sink, 1000), "SET  key \"a b\\x41\\n\" 'it\\'s'\r\nPING\n");

        assertThat(values)
                .extracting(value -> ((RespValue.Inline) value)
                        .words().stream()
                                .map(word -> new String(word, StandardCharsets.UTF_8))
                                .toList())
                .containsExactly(List.of("SET", "key", "a bA\n", "it's"), List.of("PING"));
    }

    @ParameterizedTest
    @CsvSource({
        "':x\r\n', malformed number",
        "'$5\r\nabcdefgh\r\n', a string longer than announced",
        "'$-2\r\n', negative length",
        "'*1\r\nGET\r\n', unknown type 'G'",
        "'+a\rb\r\n', a CR within a line",
        "'+a\n', a line without CR LF",
        "'$2000000000\r\n', a value of more than 1000 bytes",
        "'*2000000000\r\n', a value of more than 1000 bytes",
        "'#x\r\n', malformed boolean",
        "'GET \"a\r\n', unbalanced quotes"
    })
    void garbage_leavesTheConnectionUnframed(String wire, String reason) {
        RespFramer framer = new RespFramer(sink, 1000);
        feed(framer, "+OK\r\n" + wire);
        feed(framer, "+OK\r\n");

        assertThat(values).hasSize(1);
        assertThat(unframed).containsOnly(reason).hasSize(2);
        assertThat(seen.toString(StandardCharsets.UTF_8)).isEqualTo("+OK\r\n" + wire + "+OK\r\n");
    }

    @Test
    void deepNesting_leavesTheConnectionUnframed() {
        feed(new RespFramer(sink, 1_000_000), "*1\r\n".repeat(100_000));

        assertThat(unframed).containsExactly("nested deeper than 64");
    }

    @Test
    void valueCutShort_isUnframedAtTheEnd() {
        RespFramer framer = new RespFramer(sink, 1000);
        feed(framer, "+OK\r\n$5\r\nab");
        framer.end();

        assertThat(values).hasSize(1);
        assertThat(unframed).containsExactly("ended within a value");
        assertThat(seen.toString(StandardCharsets.UTF_8)).isEqualTo("+OK\r\n$5\r\nab");
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void anyChunking_givesTheSameValues(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            values.clear();
            seen.reset();
            List<RespValue> sent = new ArrayList<>();
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            for (int i = 0; i < 20; i++) {
                RespValue value = value(random, 3);
                sent.add(value);
                wire.writeBytes(value.encode());
            }
            RespFramer framer = new RespFramer(sink, 1 << 20);
            feedInChunks(framer, wire.toByteArray(), random);

            assertThat(values).as("seed %d round %d", seed, round).isEqualTo(sent);
            assertThat(seen.toByteArray()).as("seed %d round %d", seed, round).isEqualTo(wire.toByteArray());
        }
        assertThat(unframed).as("seed %d", seed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void mutatedBytes_areAllAccountedForAndThrowNothing(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            values.clear();
            seen.reset();
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            for (int i = 0; i < 5; i++) {
                wire.writeBytes(value(random, 3).encode());
            }
            byte[] mutated = wire.toByteArray();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            RespFramer framer = new RespFramer(sink, 1 << 16);
            feedInChunks(framer, mutated, random);
            framer.end();

            assertThat(seen.toByteArray()).as("seed %d round %d", seed, round).isEqualTo(mutated);
        }
    }

    private static RespValue value(Random random, int depth) {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(3000) : random.nextInt(20)];
        random.nextBytes(bytes);
        return switch (random.nextInt(depth == 0 ? 8 : 12)) {
            case 0 -> new RespValue.Simple("status " + random.nextInt());
            case 1 -> new RespValue.SimpleError("ERR " + random.nextInt());
            case 2 -> new RespValue.Int(random.nextLong());
            case 3, 4 -> new RespValue.Bulk(bytes);
            case 5 -> new RespValue.Bulk(null);
            case 6 -> new RespValue.Verbatim("txt", bytes);
            case 7 -> new RespValue.Bool(random.nextBoolean());
            case 8 -> new RespValue.Array(values(random, depth));
            case 9 -> new RespValue.Unordered(values(random, depth));
            case 10 -> new RespValue.Push(values(random, depth));
            default ->
                new RespValue.Mapping(values(random, depth).stream()
                        .map(value -> new RespValue.Entry(new RespValue.Simple("key"), value))
                        .toList());
        };
    }

    private static List<RespValue> values(Random random, int depth) {
        List<RespValue> values = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            values.add(value(random, depth - 1));
        }
        return values;
    }

    private static void feedInChunks(RespFramer framer, byte[] wire, Random random) {
        int largest = 1 + random.nextInt(100);
        for (int at = 0; at < wire.length; ) {
            int length = Math.min(1 + random.nextInt(largest), wire.length - at);
            framer.feed(ByteBuffer.wrap(wire, at, length));
            at += length;
        }
    }

    private static void feed(RespFramer framer, String wire) {
        framer.feed(ByteBuffer.wrap(wire.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void valuesThatAreTakenInPieces_areWholeWhateverTheChunks(long seed) {
        Random random = new Random(seed);
        StringBuilder wire = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String value = anyWire(random, 0);
            wire.append(value);
            expected.add(value);
        }
        Pieces pieces = new Pieces();
        RespFramer framer = new RespFramer(pieces, 1 << 20, 100);
        byte[] bytes = wire.toString().getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; ) {
            int some = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 500));
            framer.feed(ByteBuffer.wrap(bytes, at, some));
            at += some;
        }

        assertThat(pieces.told).as("seed %d", seed).isEqualTo(expected);
        assertThat(pieces.values).as("short ones").isNotEmpty().allMatch(length -> length <= 100 + LONGEST_LINE);
        assertThat(pieces.large).as("long ones").isNotEmpty().allMatch(length -> length > 100);
        assertThat(framer.heldBytes()).isZero();
    }

    /** A value's last item may make it longer without being asked about, if it isn't a string. */
    private static final int LONGEST_LINE = 12;

    private static String anyWire(Random random, int depth) {
        int kind = random.nextInt(depth < 3 ? 5 : 3);
        int count = random.nextInt(random.nextInt(4) == 0 ? 60 : 6);
        return switch (kind) {
            case 0 -> ":" + random.nextInt(1_000_000) + "\r\n";
            case 1 -> "$" + 3 * count + "\r\n" + "\r\n$".repeat(count) + "\r\n";
            case 2 -> random.nextBoolean() ? "$-1\r\n" : "+OK\r\n";
            default -> {
                StringBuilder items = new StringBuilder((kind == 3 ? "*" + count : "%" + (count / 2)) + "\r\n");
                for (int i = kind == 3 ? count : count / 2 * 2; i > 0; i--) {
                    items.append(anyWire(random, depth + 1));
                }
                yield items.toString();
            }
        };
    }

    @Test
    void valueInPieces_maybeLargerThanAnyValue_andItsEndIsChecked() {
        Pieces pieces = new Pieces();
        RespFramer framer = new RespFramer(pieces, 1000, 100);
        feed(framer, "*2\r\n$5000\r\n");
        for (int i = 0; i < 50; i++) {
            feed(framer, "y".repeat(100));
            assertThat(framer.heldBytes()).isZero();
        }
        feed(framer, "\r\n*3000000\r\n");
        for (int i = 0; i < 3000; i++) {
            feed(framer, ":1\r\n".repeat(1000));
            assertThat(framer.heldBytes()).isZero();
        }
        feed(framer, "+OK\r\n$200\r\n" + "z".repeat(200) + "+not the end");

        assertThat(pieces.told).hasSize(3);
        assertThat(pieces.told.get(0)).hasSize(4 + 5009 + 10 + 12_000_000);
        assertThat(pieces.told.get(1)).isEqualTo("+OK\r\n");
        assertThat(pieces.told.get(2)).isEqualTo("unframed a string longer than announced");
    }

    @Test
    void whatHasBegun_isToldOfALongCommand() {
        List<List<RespValue>> told = new ArrayList<>();
        RespFramer framer = new RespFramer(
                new RespSink() {
                    @Override
                    public boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
                        told.add(begun);
                        return atLeast > 1000;
                    }

                    @Override
                    public void value(RespValue value, Sent sent) {
                        told.add(List.of(value));
                    }

                    @Override
                    public void unframed(String reason, byte[] remaining) {
                        throw new IllegalStateException(reason);
                    }
                },
                1000,
                100);
        feed(framer, "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$2000\r\n" + "v".repeat(2000) + "\r\n");
        feed(framer, "*1\r\n$200\r\n" + "v".repeat(200) + "\r\n");
        assertThat(told).hasSize(3);
        assertThat(told.get(0)).containsExactly(bulk("SET"), bulk("key"));
        assertThat(told.get(1)).isEmpty();
        assertThat(told.get(2)).hasSize(1);
    }

    private static RespValue bulk(String text) {
        return new RespValue.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes values in pieces where it is asked. */
    private static final class Pieces implements RespSink {
        private final List<String> told = new ArrayList<>();
        private final List<Integer> values = new ArrayList<>();
        private final List<Integer> large = new ArrayList<>();
        private StringBuilder wire = new StringBuilder();

        @Override
        public boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
            wire = new StringBuilder();
            return true;
        }

        @Override
        public void piece(ByteBuffer some) {
            wire.append(StandardCharsets.UTF_8.decode(some));
        }

        @Override
        public void largeEnds() {
            large.add(wire.length());
            told.add(wire.toString());
        }

        @Override
        public void value(RespValue value, Sent sent) {
            values.add(sent.length());
            told.add(new String(sent.bytes(), StandardCharsets.UTF_8));
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            told.add("unframed " + reason);
        }
    }
}
