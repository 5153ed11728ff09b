package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Err;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class MySqlReplayHandlerTest {
    private static final long BITS = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.LONG_PASSWORD;

    private final TestJournal<MySqlReply> journal = new TestJournal<>(1 << 16);
    private final ServerFacts facts = new ServerFacts();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void greeting_isProductionsWithoutWhatIsNotSpoken() {
        connect("caching_sha2_password");
        ServerGreeting greeting = ServerGreeting.read(written().get(0));
        assertThat(greeting.version()).isEqualTo("8.4.0-of-production");
        assertThat(greeting.plugin()).isEqualTo("caching_sha2_password");
        assertThat(greeting.connection()).isEqualTo(1);
        assertThat(greeting.capabilities().hasAny(Capabilities.SSL | Capabilities.COMPRESS))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "mysql_native_password, wrong, 0",
        "caching_sha2_password, wrong, 1 3|0",
        "caching_sha2_password, '', 0",
        "client_ed25519, wrong, 254",
        "sha256_password, wrong, 254"
    })
    void anyCredentials_areLetIn(String plugin, String proof, String beginnings) {
        connect(plugin);
        written();
        client(1, login(plugin, proof));
        List<byte[]> answers = written();
        assertThat(answers).hasSize(beginnings.split("\\|", -1).length);
        String first = beginnings.split("[| ]", 2)[0];
        assertThat(answers.get(0)[0] & 0xff).isEqualTo(Integer.parseInt(first));
        if (first.equals("254")) {
            assertThat(new String(answers.get(0), StandardCharsets.ISO_8859_1)).contains("mysql_native_password");
            client(3, new byte[20]);
            answers = written();
        }
        assertThat(answers.get(answers.size() - 1)[0]).isZero();
        client(0, new byte[] {0x0e});
        assertThat(written().get(0)[0]).as("the answer to PING").isZero();
    }

    @Test
    void unknownStatement_isAMissThatNamesItsForm() {
        letIn();
        client(0, command(3, "SELECT a FROM t WHERE b = 'secret'"));
        Err error = Err.read(written().get(0));
        assertThat(error.code()).isEqualTo(50_001);
        assertThat(error.state()).isEqualTo("UD001");
        assertThat(error.message()).contains("SELECT a FROM t WHERE b = '…'").doesNotContain("secret");
        assertThat(journal.replayed.missed()).isEqualTo(1);
    }

    @Test
    void unknownCommand_isAMiss() {
        letIn();
        client(0, command(0x12, "...."));
        assertThat(Err.read(written().get(0)).message()).contains("command 18 of the protocol");
    }

    @Test
    void poolsQuestions_areAnsweredHere() {
        letIn();
        for (String ping : List.of("SELECT 1", "/* ping */ select 1", "-- alive?\nSELECT 1;")) {
            client(0, command(3, ping));
            List<byte[]> packets = written();
            assertThat(packets.get(packets.size() - 2)).as(ping).isEqualTo(new byte[] {1, '1'});
        }
        assertThat(journal.replayed.missed()).isZero();
    }

    @Test
    void anyBytes_areAnsweredOrEndTheConnection() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            EmbeddedChannel fuzzed = new EmbeddedChannel(
                    new MySqlReplayHandler(journal.replay(), facts, new ReplayPosition(null), SqlSpelling.MEANING));
            if (random.nextBoolean()) {
                fuzzed.writeInbound(packet(1, login("mysql_native_password", "x")));
            }
            for (int i = 0; i < 20 && fuzzed.isOpen(); i++) {
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                if (bytes.length > 0) {
                    bytes[0] = (byte) random.nextInt(0x20);
                }
                fuzzed.writeInbound(packet(0, bytes));
            }
            fuzzed.checkException();
            fuzzed.finishAndReleaseAll();
        }
    }

    private void letIn() {
        connect("mysql_native_password");
        client(1, login("mysql_native_password", "x"));
        written();
    }

    private void connect(String plugin) {
        Capabilities production = new Capabilities(BITS | Capabilities.SSL | Capabilities.COMPRESS);
        facts.learn(
                ServerKeys.GREETING, new ServerGreeting("8.4.0-of-production", 4711, production, 45, 2, plugin), 100);
        channel.pipeline()
                .addLast(
                        new MySqlReplayHandler(journal.replay(), facts, new ReplayPosition(null), SqlSpelling.MEANING));
        channel.pipeline().fireChannelActive();
    }

    private void client(int sequence, byte[] payload) {
        channel.writeInbound(packet(sequence, payload));
    }

    private List<byte[]> written() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf one = channel.readOutbound(); one != null; one = channel.readOutbound()) {
            all.writeBytes(one);
            one.release();
        }
        List<byte[]> packets = new ArrayList<>();
        while (all.isReadable()) {
            int length = all.readUnsignedMediumLE();
            all.skipBytes(1);
            packets.add(ByteBufUtil.getBytes(all.readSlice(length)));
        }
        return packets;
    }

    private static ByteBuf packet(int sequence, byte[] payload) {
        return Unpooled.wrappedBuffer(new MySqlWriter()
                .int24(payload.length)
                .int8(sequence)
                .bytes(payload)
                .toBytes());
    }

    private static byte[] login(String plugin, String proof) {
        return new MySqlWriter()
                .int32((int) BITS)
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .string("nobody")
                .int8(proof.length())
                .bytes(proof.getBytes(StandardCharsets.US_ASCII))
                .string(plugin)
                .toBytes();
    }

    private static byte[] command(int code, String text) {
        return new MySqlWriter()
                .int8(code)
                .bytes(text.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }
}
