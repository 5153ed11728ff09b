package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands that are too long to be held. */
class LongPacketTest {
    private static final int KEPT = 512 << 10;
    private static final int MOST = 1 << 20;
    private static final Capabilities ONE = new Capabilities(0);

    private record Told(byte[] beginning, LongRest rest) {}

    /** Which are taken in pieces: what is known by a hash alone is nothing that a session is followed by. */
    @ParameterizedTest
    @CsvSource({
        "24, 300000, false, true",
        "23, 300000, false, false",
        "23, 1048577, true, true",
        "23, 16777215, false, true",
        "250, 1048577, false, true",
        "3, 1048577, false, true",
        "3, 1048577, true, false",
        "3, 300000, false, false",
        "22, 1048577, true, true",
        "22, 300000, false, false",
        "17, 1048577, false, false"
    })
    void commands_thatAreTaken(int code, int part, boolean several, boolean taken) {
        Capabilities agreed = several ? new Capabilities(Capabilities.MULTI_STATEMENTS) : ONE;
        assertThat(LongPacket.of(code, part, MOST, agreed, (beginning, rest) -> {}) != null)
                .isEqualTo(taken);
    }

    @Test
    void numberOfTheStatement_isNoPartOfTheHash() {
        byte[] one = packet(CommandCode.STMT_EXECUTE, 2 << 20);
        byte[] other = one.clone();
        other[1] = 99;
        assertThat(taken(other, 1000).rest().hash())
                .isEqualTo(taken(one, 1000).rest().hash());
        other[5] ^= 1;
        assertThat(taken(other, 1000).rest().hash())
                .isNotEqualTo(taken(one, 1000).rest().hash());
        byte[] data = packet(CommandCode.STMT_SEND_LONG_DATA, 2 << 20);
        byte[] elsewhere = data.clone();
        elsewhere[5] = 3;
        assertThat(taken(elsewhere, 1000).rest().hash())
                .as("a parameter's place, which is known without it")
                .isEqualTo(taken(data, 1000).rest().hash());
    }

    @Test
    void beginningAndHash_dependOnTheBytesAlone() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            byte[] packet = packet(CommandCode.QUERY, 1 + random.nextInt(3 * KEPT));
            Told whole = taken(packet, packet.length);
            Told pieces = taken(packet, 1 + random.nextInt(packet.length));
            assertThat(pieces.beginning()).as("seed %d", seed).isEqualTo(whole.beginning());
            assertThat(pieces.rest().hash())
                    .as("seed %d", seed)
                    .isEqualTo(whole.rest().hash());
            assertThat(whole.beginning())
                    .as("seed %d", seed)
                    .isEqualTo(Arrays.copyOf(packet, Math.min(packet.length, KEPT)));
            assertThat(whole.rest().length()).isEqualTo(packet.length);
            packet[random.nextInt(packet.length - 1) + 1] ^= 1;
            assertThat(taken(packet, packet.length).rest().hash())
                    .as("seed %d", seed)
                    .isNotEqualTo(whole.rest().hash());
        }
    }

    @Test
    void statementBegun_hasTheHashInItsText() {
        LongRest one = new LongRest(5 << 20, new byte[32], List.of());
        LongRest other = new LongRest(5 << 20, new byte[31], List.of());
        MySqlScript script = Objects.requireNonNull(MySqlScript.begun("INSERT INTO t VALUES ('aaa", one));
        assertThat(script.command()).isEqualTo(MySqlStatementKind.OTHER);
        assertThat(script.sql()).contains("5242880 bytes");
        assertThat(Objects.requireNonNull(MySqlScript.begun("INSERT INTO t VALUES ('aaa", other))
                        .sql())
                .isNotEqualTo(script.sql());
        for (String followed : new String[] {"SET @a = 'aaa", "CALL p('aaa", "", "/* INSERT"}) {
            assertThat(MySqlScript.begun(followed, one)).as(followed).isNull();
        }
    }

    @Test
    void wordsOfTheSession_areFoundAnywhere_andDecideWhatIsTaken() {
        for (String word : List.of("@", ":=", "into", "last_insert_id", "lastval", "row_count", "found_rows")) {
            String text = "x".repeat(KEPT) + word.toUpperCase(Locale.ROOT) + "x".repeat(KEPT);
            byte[] packet = ("\u0003SELECT '" + text).getBytes(StandardCharsets.ISO_8859_1);
            for (int chunk : new int[] {1 << 14, 7, packet.length, 8 + KEPT + 1}) {
                assertThat(taken(packet, chunk).rest().words()).as(word).containsExactly(word);
            }
            LongRest rest = taken(packet, 1000).rest();
            boolean variable = List.of("@", ":=", "into").contains(word);
            for (String verb : List.of("SELECT", "DELETE", "WITH")) {
                assertThat(MySqlScript.begun(verb + " '" + text, rest) == null)
                        .as(verb + word)
                        .isEqualTo(variable);
            }
            assertThat(Objects.requireNonNull(MySqlScript.begun("INSERT INTO t", rest))
                            .sql())
                    .endsWith(word);
        }
        byte[] none =
                ("\u0003SELECT '" + "x".repeat(KEPT) + ": =int_o last_insertid").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(taken(none, 11).rest().words()).isEmpty();
    }

    @Test
    void variables_countInAStatementOfWhichOnlyTheBeginningIsKnown() {
        LongRest rest = new LongRest(5 << 20, new byte[32], List.of());
        MySqlScript script = Objects.requireNonNull(MySqlScript.begun("INSERT INTO t VALUES ('aaa", rest));
        MySqlSession plain = new MySqlSession();
        MySqlSession other = new MySqlSession();
        other.ran(MySqlStatementKind.SET, "SET @a = 1", List.of());
        assertThat(MySqlForms.query(other, script.sql(), script.command(), List.of()))
                .isNotEqualTo(MySqlForms.query(plain, script.sql(), script.command(), List.of()));
        assertThat(MySqlForms.query(other, "INSERT INTO t VALUES ('aaa')", MySqlStatementKind.OTHER, List.of()))
                .isEqualTo(
                        MySqlForms.query(plain, "INSERT INTO t VALUES ('aaa')", MySqlStatementKind.OTHER, List.of()));
    }

    private static Told taken(byte[] packet, int chunk) {
        AtomicReference<Told> told = new AtomicReference<>();
        LongPacket taker = Objects.requireNonNull(LongPacket.of(
                packet[0], PacketFramer.FULL, MOST, ONE, (beginning, rest) -> told.set(new Told(beginning, rest))));
        for (int at = 0; at < packet.length; at += chunk) {
            int some = Math.min(chunk, packet.length - at);
            taker.part(some);
            taker.bytes(ByteBuffer.wrap(packet, at, some));
        }
        taker.end();
        return Objects.requireNonNull(told.get());
    }

    private static byte[] packet(int code, int more) {
        byte[] packet = new byte[1 + more];
        new Random(more).nextBytes(packet);
        packet[0] = (byte) code;
        return packet;
    }
}
