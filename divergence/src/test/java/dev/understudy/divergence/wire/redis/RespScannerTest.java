package dev.understudy.divergence.wire.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Cutting finds the same values as reading does, whatever the chunks. */
class RespScannerTest {
    @Test
    void replies_areCutWhereTheFramerCutsThem() {
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            List<Integer> ends = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                wire.writeBytes(value(random, 0).encode());
                ends.add(wire.size());
            }
            assertThat(ends(wire.toByteArray(), random)).as("seed %d", seed).isEqualTo(ends);
        }
    }

    @Test
    void garbage_isCutLikeTheFramerCutsIt_orIsMalformed() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] wire = value(random, 0).encode();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                wire[random.nextInt(wire.length)] = (byte) random.nextInt(256);
            }
            List<Integer> framed = framed(wire);
            List<Integer> cut = ends(wire, random);
            assertThat(cut.subList(0, Math.min(framed.size(), cut.size())))
                    .as("seed %d", seed)
                    .isEqualTo(framed.subList(0, Math.min(framed.size(), cut.size())));
        }
    }

    @Test
    void pushes_areTold_andSoIsWhatAttributesBelongTo() {
        assertThat(type(">2\r\n+message\r\n:1\r\n")).isEqualTo('>');
        assertThat(type("|1\r\n+ttl\r\n:9\r\n$3\r\nfoo\r\n")).isEqualTo('$');
        assertThat(type("|0\r\n>1\r\n:1\r\n")).isEqualTo('>');
        assertThat(type("-ERR no\r\n")).isEqualTo('-');
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello\r\n",
                "$?\r\n",
                "$-2\r\n",
                "*-7\r\n",
                "$3\r\nfooo\r\n",
                ":1\n",
                "*99999999999\r\n",
                "$123456789012345678901\r\n",
                "*1\r\nhello\r\n"
            })
    void replies_thatAreNone_areMalformed(String wire) {
        RespScanner scanner = new RespScanner();

        assertThat(scanner.scan(bytes(wire))).isEqualTo(RespScanner.Found.MALFORMED);
        assertThat(scanner.malformation()).isNotEmpty();
        assertThat(scanner.scan(bytes("+OK\r\n"))).isEqualTo(RespScanner.Found.MALFORMED);
    }

    @Test
    void nesting_isBounded() {
        RespScanner scanner = new RespScanner();
        assertThat(scanner.scan(bytes("*1\r\n".repeat(64)))).isEqualTo(RespScanner.Found.MORE);
        assertThat(scanner.scan(bytes("*1\r\n"))).isEqualTo(RespScanner.Found.MALFORMED);
    }

    @Test
    void commands_keepTheirWords_whateverTheChunks() {
        String wire = "*3\r\n$3\r\nset\r\n$1\r\nk\r\n$700\r\n" + "x".repeat(700) + "\r\n" + "get \"a b\"\r\n" + "\r\n"
                + "*0\r\n" + "*1\r\n$4\r\nPING\r\n";
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<String> found = new ArrayList<>();
            RespCommands commands = new RespCommands();
            for (ByteBuffer chunk : chunks(wire.getBytes(StandardCharsets.ISO_8859_1), random)) {
                while (commands.scan(chunk) == RespScanner.Found.VALUE) {
                    RedisCommand command = commands.command();
                    found.add(command == null ? "nothing" : command.name() + ' ' + command.text(0) + command.bytes());
                    commands.next();
                }
            }
            assertThat(found)
                    .as("seed %d", seed)
                    .containsExactly("SET k516", "GET a b6", "nothing", "nothing", "PING 4");
            assertThat(commands.within()).isFalse();
        }
    }

    @Test
    void words_ofAnEndlessCommand_areNotKept() {
        RespCommands commands = new RespCommands();
        commands.scan(bytes("*1000000\r\n$4\r\nMSET\r\n"));
        for (int i = 0; i < 20_000; i++) {
            commands.scan(bytes("$10\r\n0123456789\r\n"));
        }

        assertThat(commands.isTruncated()).isTrue();
        assertThat(Objects.requireNonNull(commands.command()).bytes()).isLessThanOrEqualTo(RespCommands.MAX_KEPT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\r\n:1\r\n", "*1\r\n$-1\r\n", "*1\r\n*1\r\n", "get \"a\r\n", "*x\r\n"})
    void commands_thatAreNone_areMalformed(String wire) {
        assertThat(new RespCommands().scan(bytes(wire))).isEqualTo(RespScanner.Found.MALFORMED);
    }

    private static char type(String wire) {
        RespScanner scanner = new RespScanner();
        assertThat(scanner.scan(bytes(wire))).isEqualTo(RespScanner.Found.VALUE);
        return scanner.type();
    }

    private static List<Integer> ends(byte[] wire, Random random) {
        RespScanner scanner = new RespScanner();
        List<Integer> ends = new ArrayList<>();
        int before = 0;
        for (ByteBuffer chunk : chunks(wire, random)) {
            while (scanner.scan(chunk) == RespScanner.Found.VALUE) {
                ends.add(before + chunk.position());
            }
            before += chunk.limit();
        }
        return ends;
    }

    private static List<Integer> framed(byte[] wire) {
        List<Integer> ends = new ArrayList<>();
        int[] at = {0};
        RespFramer framer = new RespFramer(
                new RespSink() {
                    @Override
                    public void value(RespValue value, Sent sent) {
                        at[0] += sent.length();
                        ends.add(at[0]);
                    }

                    @Override
                    public void unframed(String reason, byte[] remaining) {}
                },
                1 << 20);
        framer.feed(ByteBuffer.wrap(wire));
        return ends;
    }

    private static List<ByteBuffer> chunks(byte[] wire, Random random) {
        List<ByteBuffer> chunks = new ArrayList<>();
        for (int at = 0; at < wire.length; ) {
            int length = Math.min(wire.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
            chunks.add(ByteBuffer.wrap(wire, at, length).slice());
            at += length;
        }
        return chunks;
    }

    static RespValue value(Random random, int depth) {
        int kinds = depth < 3 ? 15 : 10;
        return switch (random.nextInt(kinds)) {
            case 0 -> new RespValue.Simple("OK" + random.nextInt(10));
            case 1 -> new RespValue.SimpleError("ERR " + random.nextInt(10));
            case 2 -> new RespValue.Int(random.nextInt());
            case 3 -> new RespValue.Bulk(blob(random));
            case 4 -> new RespValue.Bulk(null);
            case 5 -> new RespValue.Null();
            case 6 -> new RespValue.Bool(random.nextBoolean());
            case 7 -> new RespValue.Decimal(Double.toString(random.nextDouble()));
            case 8 -> new RespValue.Verbatim("txt", blob(random));
            case 9 -> new RespValue.BulkError(blob(random));
            case 10 -> new RespValue.Unordered(items(random, depth));
            case 11 -> new RespValue.Mapping(entries(random, depth));
            case 12 -> new RespValue.Attributed(entries(random, depth), value(random, depth + 1));
            case 13 -> new RespValue.Array(null);
            default -> new RespValue.Array(items(random, depth));
        };
    }

    private static byte[] blob(Random random) {
        byte[] blob = new byte[random.nextInt(30)];
        random.nextBytes(blob);
        return blob;
    }

    private static List<RespValue> items(Random random, int depth) {
        List<RespValue> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(value(random, depth + 1));
        }
        return items;
    }

    private static List<RespValue.Entry> entries(Random random, int depth) {
        List<RespValue.Entry> entries = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            entries.add(new RespValue.Entry(value(random, depth + 1), value(random, depth + 1)));
        }
        return entries;
    }

    private static ByteBuffer bytes(String wire) {
        return ByteBuffer.wrap(wire.getBytes(StandardCharsets.ISO_8859_1));
    }
}
