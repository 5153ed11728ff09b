package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.Login;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Ok;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MySqlRecorderTest {
    private static final long BASE = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.LONG_PASSWORD
            | Capabilities.DEPRECATE_EOF;
    private static final Capabilities SERVER =
            new Capabilities(BASE | Capabilities.SSL | Capabilities.COMPRESS | Capabilities.OPTIONAL_METADATA);

    private final TestJournal<MySqlReply> journal = new TestJournal<>(1 << 16);
    private final ServerFacts facts = new ServerFacts();
    private final MySqlRecorder recorder = new MySqlRecorder(journal.recording(), facts);

    @Test
    void statements_arePairedInTheirOrder() {
        letIn();
        client(0, command(3, "INSERT INTO t VALUES (1)"));
        client(0, command(3, "INSERT INTO t VALUES (2)"));
        server(1, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.exchanges()).isEqualTo(1);
        server(1, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.exchanges()).isEqualTo(2);
        recorder.closed(9);
        assertThat(journal.recorded.unrecorded(Unrecorded.INCOMPLETE)).isZero();
        assertThat(recorder.heldBytes()).isZero();
    }

    @Test
    void statementsThatArentAnswered_areUnderWayOneAfterAnother() {
        letIn();
        client(0, command(3, "SELECT SLEEP(7)"));
        client(0, command(3, "SELECT SLEEP(8)"));
        assertThat(why("SELECT SLEEP(7)")).contains("own call is under way");
        assertThat(why("SELECT SLEEP(8)")).doesNotContain("own call is under way");

        server(1, Ok.of(2).encode(0, SERVER));

        assertThat(journal.take(form("SELECT SLEEP(7)"))).isNotNull();
        assertThat(why("SELECT SLEEP(7)")).contains("used already");
        assertThat(why("SELECT SLEEP(8)")).contains("own call is under way");
        recorder.closed(9);
        assertThat(why("SELECT SLEEP(8)")).doesNotContain("own call is under way");
    }

    private String why(String sql) {
        List<Match<MySqlReply>> found = new ArrayList<>();
        journal.journal.take(form(sql), 0, ImmediateEventExecutor.INSTANCE, found::add);
        return ((Match.Miss<MySqlReply>) found.get(0)).why();
    }

    private static Form form(String sql) {
        MySqlSession session = new MySqlSession(() -> null);
        Login login = Login.read(login(BASE), SERVER);
        session.login(login.capabilities().and(SERVER), login.collation(), login.database());
        return MySqlForms.query(session, sql, MySqlScript.of(sql).command(), List.of());
    }

    @Test
    void preparedStatement_isHeld_untilItIsClosed() {
        letIn();
        long before = recorder.heldBytes();
        client(0, command(22, "SET NAMES '" + "x".repeat(10_000) + "'"));
        server(1, new MySqlWriter().int8(0).int32(7).int32(0).int8(0).int16(0).toBytes());
        assertThat(recorder.heldBytes() - before).isBetween(20_000L, 80_000L);

        client(0, new MySqlWriter().int8(25).int32(7).toBytes());

        assertThat(recorder.heldBytes()).isEqualTo(before);
    }

    @Test
    void connectionInTls_isGivenUpAsEncrypted() {
        greet();
        client(1, login(BASE | Capabilities.SSL));
        assertGivenUp(Unrecorded.ENCRYPTED);
    }

    @Test
    void compressedConnection_isGivenUpAsCompressed() {
        greet();
        client(1, login(BASE | Capabilities.COMPRESS));
        assertGivenUp(Unrecorded.COMPRESSED);
    }

    @Test
    void columnsThatMayBeLeftOut_areNotFollowed() {
        greet();
        client(1, login(BASE | Capabilities.OPTIONAL_METADATA));
        assertGivenUp(Unrecorded.NOT_THE_PROTOCOL);
    }

    @Test
    void replication_isGivenUpAsPush() {
        letIn();
        client(0, command(0x12, "...."));
        assertGivenUp(Unrecorded.SERVER_PUSH);
    }

    @Test
    void filesOfTheClients_areCountedAndNotRecorded() {
        letIn();
        client(0, command(3, "LOAD DATA LOCAL INFILE 'f' INTO TABLE t"));
        server(1, new byte[] {(byte) 0xfb, 'f'});
        client(2, command(3, "what is in the file"));
        client(3, new byte[0]);
        server(4, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.unrecorded(Unrecorded.BULK_COPY)).isEqualTo(1);
        client(0, command(3, "DELETE FROM t"));
        server(1, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.exchanges()).isEqualTo(1);
    }

    @Test
    void largeResult_isLeftOutAndTheConnectionGoesOn() {
        letIn();
        client(0, command(3, "SELECT big FROM t"));
        server(1, new byte[] {1});
        server(2, new MySqlWriter().value("def").toBytes());
        for (int i = 0; i < 10; i++) {
            server(3 + i, new byte[10_000]);
        }
        server(13, Ok.of(2).encode(0xfe, SERVER));
        assertThat(journal.recorded.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        client(0, command(3, "DELETE FROM t"));
        server(1, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.exchanges()).isEqualTo(1);
    }

    @Test
    void anyBytes_endInAReasonAndNoException() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            TestJournal<MySqlReply> other = new TestJournal<>(1 << 12);
            MySqlRecorder fuzzed = new MySqlRecorder(other.recording(), new ServerFacts());
            if (random.nextInt(5) > 0) {
                fuzzed.reply(packet(0, greeting()), 1);
                fuzzed.request(packet(1, login(BASE)), 1);
                fuzzed.reply(packet(2, Ok.of(2).encode(0, SERVER)), 1);
            }
            for (int i = 0; i < 40; i++) {
                byte[] payload = new byte[random.nextInt(30)];
                random.nextBytes(payload);
                if (payload.length > 0 && random.nextBoolean()) {
                    payload[0] = (byte) random.nextInt(0x20);
                }
                if (random.nextBoolean()) {
                    fuzzed.request(packet(random.nextInt(2), payload), i);
                } else {
                    fuzzed.reply(packet(random.nextInt(4), payload), i);
                }
            }
            fuzzed.closed(99);
            assertThat(fuzzed.heldBytes()).as("seed " + seed).isZero();
            assertThat(other.recorded.unrecorded(Unrecorded.INTERNAL))
                    .as("seed " + seed)
                    .isZero();
        }
    }

    private void assertGivenUp(Unrecorded reason) {
        assertThat(journal.recorded.unrecorded(reason)).isEqualTo(1);
        client(0, command(3, "DELETE FROM t"));
        server(1, Ok.of(2).encode(0, SERVER));
        assertThat(journal.recorded.exchanges()).isZero();
        assertThat(recorder.heldBytes()).isZero();
    }

    private void letIn() {
        greet();
        client(1, login(BASE));
        // The full way of caching_sha2_password: more data, the public key, the proof.
        server(2, new byte[] {1, 4});
        client(3, new byte[] {2});
        server(4, command(1, "-----BEGIN PUBLIC KEY-----"));
        client(5, new byte[256]);
        server(6, Ok.of(2).encode(0, SERVER));
    }

    private void greet() {
        server(0, greeting());
    }

    private static byte[] greeting() {
        return new ServerGreeting("8.4.0", 5, SERVER, 45, 2, "caching_sha2_password").encode(new byte[20]);
    }

    private static byte[] login(long bits) {
        return new MySqlWriter()
                .int32((int) bits)
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .string("app")
                .int8(0)
                .string("caching_sha2_password")
                .toBytes();
    }

    private static byte[] command(int code, String text) {
        return new MySqlWriter()
                .int8(code)
                .bytes(text.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    private void client(int sequence, byte[] payload) {
        recorder.request(packet(sequence, payload), 1);
    }

    private void server(int sequence, byte[] payload) {
        recorder.reply(packet(sequence, payload), 2);
    }

    private static ByteBuffer packet(int sequence, byte[] payload) {
        return ByteBuffer.wrap(new MySqlWriter()
                .int24(payload.length)
                .int8(sequence)
                .bytes(payload)
                .toBytes());
    }
}
