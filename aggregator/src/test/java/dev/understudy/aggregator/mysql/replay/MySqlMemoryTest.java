package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlTimelines;
import dev.understudy.aggregator.mysql.exchange.Preparation;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.replay.DebugLogin;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a debug connection to MySQL can make the process hold ends at its bound, and at that of all connections. */
class MySqlMemoryTest {
    private static final long ALL = 1 << 20;
    private static final int QUERY = 3;
    private static final int PREPARE = 22;
    private static final int SEND_LONG_DATA = 24;
    private static final int CLOSE = 25;
    private static final int TOO_MUCH = 1041;
    private static final long BITS = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.LONG_PASSWORD;

    private final TestJournal<MySqlReply> test = new TestJournal<>(1 << 20);
    private final ServerFacts facts = new ServerFacts();
    private final MemoryBudget all = new MemoryBudget(ALL, null);
    private final List<Object> events = new ArrayList<>();
    private final EmbeddedChannel debug;

    MySqlMemoryTest() {
        facts.learn(
                ServerKeys.GREETING,
                new ServerGreeting("8.4.0", 1, new Capabilities(BITS), 45, 2, "mysql_native_password"),
                100);
        debug = connect(new MemoryBudget(ALL, all));
    }

    @AfterEach
    void everything_isGivenBack() {
        debug.finishAndReleaseAll();
        assertThat(all.used()).isZero();
    }

    @Test
    void login_isTold() {
        assertThat(events).containsExactly(DebugLogin.AWAITED, DebugLogin.DONE);
    }

    @Test
    void preparedStatements_areRefusedAtTheBound_andTheConnectionGoesOn() {
        assertThat(prepareUntilRefused(debug)).isBetween(3, 20);

        assertThat(test.reached).contains(DebugLimit.CONNECTION_MEMORY);
        say(debug, new MySqlWriter().int8(CLOSE).int32(1).toBytes());
        assertThat(say(debug, command(PREPARE, "SET NAMES 'utf8'"))).isZero();
        assertThat(say(debug, new byte[] {0x0e})).isZero();
    }

    @Test
    void preparedStatementsOfManyConnections_endAtTheBoundOfAll() {
        EmbeddedChannel other = connect(new MemoryBudget(ALL / 2, all));
        prepareUntilRefused(other);

        assertThat(prepareUntilRefused(debug)).isBetween(1, 10);

        assertThat(test.reached).contains(DebugLimit.MEMORY);
        other.finishAndReleaseAll();
        assertThat(prepareUntilRefused(debug)).isPositive();
    }

    @Test
    void textOfVeryManyStatements_isRefused_beforeItIsTakenApart() {
        assertThat(say(debug, command(QUERY, "a;".repeat(10_000)))).isEqualTo(TOO_MUCH);

        assertThat(say(debug, command(QUERY, "SET NAMES 'utf8'"))).isZero();
    }

    @Test
    void settings_areRefusedAtTheBound() {
        int last = 0;
        for (int n = 0; n < 100 && last == 0; n++) {
            last = say(debug, command(QUERY, "SET sql_mode" + n + " = '" + "x".repeat(10_000) + "'"));
        }

        assertThat(last).isEqualTo(TOO_MUCH);
    }

    @Test
    void smallSettings_endTheConnectionAtTheBound() {
        for (int n = 0; n < 10_000 && debug.isActive(); n++) {
            say(debug, command(QUERY, "SET sql_mode" + n + " = 1"));
        }

        assertThat(debug.isActive()).isFalse();
        assertThat(test.reached).containsOnly(DebugLimit.CONNECTION_MEMORY);
    }

    @Test
    void namesOfVariables_areRefusedAtTheBound() {
        int last = 0;
        for (int n = 0; n < 100 && last == 0; n++) {
            last = say(debug, command(QUERY, "SET @" + "x".repeat(20_000) + n + " = 1"));
        }

        assertThat(last).isEqualTo(TOO_MUCH);
    }

    @Test
    void valuesThatAreSentAhead_endTheConnectionAtTheBound() {
        MySqlSession session = new MySqlSession();
        session.login(new Capabilities(BITS), 45, "");
        facts.learn(
                MySqlForms.preparing(session, "INSERT INTO t VALUES (?)"),
                MySqlTimelines.OfPreparation.class,
                MySqlTimelines.OfPreparation::new,
                new Preparation(new PreparedShape(Collections.nCopies(1_000, new byte[0]), List.of(), 0), null),
                100);
        say(debug, command(PREPARE, "INSERT INTO t VALUES (?)"));
        int taken = 0;
        for (; taken < 200 && debug.isActive(); taken++) {
            say(
                    debug,
                    new MySqlWriter()
                            .int8(SEND_LONG_DATA)
                            .int32(1)
                            .int16(taken)
                            .bytes(new byte[20_000])
                            .toBytes());
        }

        assertThat(taken).isBetween(10, 40);
        assertThat(test.reached).contains(DebugLimit.CONNECTION_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(ints = {QUERY, PREPARE, SEND_LONG_DATA, 23})
    void unfinishedPacket_endsTheConnectionAtTheBound(int code) {
        MemoryBudget little = new MemoryBudget(100_000, all);
        EmbeddedChannel channel = connect(little);
        int last = write(
                channel, new MySqlWriter().int24(900_000).int8(0).int8(code).toBytes());
        for (int n = 0; n < 300 && channel.isActive(); n++) {
            last = write(channel, new byte[1_000]);
        }

        assertThat(last).isEqualTo(TOO_MUCH);
        assertThat(channel.isActive()).isFalse();
        assertThat(little.used()).isZero();
    }

    @Test
    void commandsBehindOneThatWaits_endAtTheBound() {
        for (int n = 0; n < 60 && debug.isActive(); n++) {
            say(debug, command(QUERY, "SELECT '" + "x".repeat(30_000) + "'"));
        }

        assertThat(debug.isActive()).isFalse();
    }

    private static int prepareUntilRefused(EmbeddedChannel channel) {
        for (int n = 0; n < 1_000; n++) {
            int answer = say(channel, command(PREPARE, "SET NAMES '" + "x".repeat(20_000) + "'"));
            if (answer != 0) {
                assertThat(answer).isEqualTo(TOO_MUCH);
                return n;
            }
        }
        return Integer.MAX_VALUE;
    }

    private EmbeddedChannel connect(MemoryBudget budget) {
        UpstreamReplay<MySqlReply> replay = test.replay(Duration.ofHours(1), budget);
        EmbeddedChannel channel = new EmbeddedChannel(
                new MySqlReplayHandler(replay, facts, new ReplayPosition(null), SqlSpelling.MEANING),
                new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        events.add(event);
                    }
                });
        channel.closeFuture().addListener(over -> replay.memory().close());
        byte[] login = new MySqlWriter()
                .int32((int) BITS)
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .string("nobody")
                .int8(0)
                .string("mysql_native_password")
                .toBytes();
        write(
                channel,
                new MySqlWriter().int24(login.length).int8(1).bytes(login).toBytes());
        return channel;
    }

    private static byte[] command(int code, String text) {
        return new MySqlWriter()
                .int8(code)
                .bytes(text.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    private static int say(EmbeddedChannel channel, byte[] payload) {
        return write(
                channel,
                new MySqlWriter().int24(payload.length).int8(0).bytes(payload).toBytes());
    }

    /** The first byte of what is answered, or the number of the error; -1 if nothing is. */
    private static int write(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        channel.runPendingTasks();
        channel.checkException();
        ByteBuf said = Unpooled.buffer();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            said.writeBytes(out);
            out.release();
        }
        if (!said.isReadable()) {
            return -1;
        }
        byte[] payload = ByteBufUtil.getBytes(said, 4, said.getUnsignedMediumLE(0));
        return payload[0] == (byte) 0xff ? Err.read(payload).code() : payload[0];
    }
}
