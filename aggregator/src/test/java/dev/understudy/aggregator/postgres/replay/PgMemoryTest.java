package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.exchange.ShapeHistory;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a debug connection to PostgreSQL can make the process hold ends at its bound, and at that of all connections.
 */
class PgMemoryTest {
    private static final long ALL = 1 << 20;
    private static final PgMessage SYNC = new PgMessage('S', new byte[0]);
    private static final String TOO_MUCH = "53200";

    private final TestJournal<PgReply> test = new TestJournal<>(1 << 20);
    private final ServerFacts facts = new ServerFacts();
    private final Backends backends = new Backends();
    private final MemoryBudget all = new MemoryBudget(ALL, null);
    private final EmbeddedChannel debug;

    PgMemoryTest() {
        facts.learnOfServer(ServerParameters.KEY, new ServerParameters(Map.of("server_version", "15")));
        prepared("SELECT " + "x".repeat(20_000));
        prepared("SELECT $1");
        debug = connect();
    }

    private void prepared(String sql) {
        ShapeHistory history = new ShapeHistory();
        history.described(new Shape(null, null, null), 0);
        facts.learn(new Shape.Key(sql, List.of(), new PgSessionState("u", "", "")), history, 100);
    }

    @AfterEach
    void everything_isGivenBack() {
        debug.finishAndReleaseAll();
        assertThat(all.used()).isZero();
    }

    @Test
    void namedStatements_areRefusedAtTheBound_andTheConnectionGoesOn() {
        int prepared = untilRefused(n -> list(parse("s" + n, "SELECT " + "x".repeat(20_000))));

        assertThat(prepared).isBetween(5, 14);
        assertThat(test.reached).contains(DebugLimit.CONNECTION_MEMORY);
        assertThat(say(debug, close("s0"), parse("small", "SELECT 1"), SYNC)).isEqualTo("3 1 Z");
    }

    @Test
    void namedStatementsOfManyConnections_endAtTheBoundOfAll() {
        EmbeddedChannel other = connect();
        for (int n = 0; n < 6; n++) {
            say(other, parse("s" + n, "SELECT " + "x".repeat(20_000)), SYNC);
        }

        assertThat(untilRefused(n -> list(parse("s" + n, "SELECT " + "x".repeat(20_000)))))
                .isBetween(1, 8);

        assertThat(test.reached).contains(DebugLimit.MEMORY);
        other.finishAndReleaseAll();
        assertThat(untilRefused(n -> list(parse("t" + n, "SELECT " + "x".repeat(20_000)))))
                .isPositive();
    }

    @Test
    void portals_areRefusedAtTheBound() {
        say(debug, query("BEGIN"), parse("s", "SELECT $1"));

        assertThat(untilRefused(n -> list(bind("p" + n, "s", new byte[20_000]))))
                .isBetween(20, 60);

        assertThat(say(debug, query("ROLLBACK"))).isEqualTo("C Z");
        assertThat(all.used()).isLessThan(30_000);
    }

    @Test
    void portalsOfStatementsThatWereReplaced_countTheirTexts() {
        say(debug, query("BEGIN"));

        assertThat(untilRefused(n -> list(parse("", "SELECT " + "x".repeat(20_000)), bind("p" + n, ""))))
                .isBetween(3, 14);
    }

    @Test
    void manyShortStatements_countWhatObjectsTake() {
        assertThat(untilRefused(n -> list(parse("s" + n, "SELECT 1")))).isBetween(500, 3_000);
    }

    @Test
    void textOfVeryManyStatements_isRefused_beforeItIsTakenApart() {
        assertThat(say(debug, query("a;".repeat(10_000)))).isEqualTo("E:" + TOO_MUCH + " Z");

        assertThat(say(debug, query("SET a.b = '1'"))).isEqualTo("C Z");
    }

    @Test
    void settings_endTheConnectionAtTheBound() {
        StringBuilder said = new StringBuilder();
        for (int n = 0; n < 60 && debug.isActive(); n++) {
            said.append(say(debug, query("SET a.b" + n + " = '" + "x".repeat(10_000) + "'")));
        }

        assertThat(said).contains("C Z").endsWith("E:" + TOO_MUCH);
        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void savepoints_endTheConnectionAtTheBound() {
        say(debug, query("BEGIN"), query("SET a.b = '" + "x".repeat(1_000) + "'"));
        for (int n = 0; n < 2_000 && debug.isActive(); n++) {
            say(debug, query("SAVEPOINT s" + n));
        }

        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void channels_endTheConnectionAtTheBound() {
        for (int n = 0; n < 3_000 && debug.isActive(); n++) {
            say(debug, query("LISTEN c" + n));
        }

        assertThat(debug.isActive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(chars = {'Q', 'P', 'B', 'd', 'F'})
    void unfinishedMessage_endsTheConnectionAtTheBound(char type) {
        MemoryBudget little = new MemoryBudget(100_000, all);
        EmbeddedChannel channel = connect(little);
        StringBuilder said = new StringBuilder(
                say(channel, new PgWriter().int8(type).int32(1_000_000).toBytes()));
        for (int n = 0; n < 300 && channel.isActive(); n++) {
            said.append(say(channel, new byte[1_000]));
        }

        assertThat(said).hasToString("E:" + TOO_MUCH);
        assertThat(little.used()).isZero();
    }

    @Test
    void requestsBehindOneThatWaits_endAtTheBound() {
        say(debug, query("SELECT 1"));

        for (int n = 0; n < 60 && debug.isActive(); n++) {
            say(debug, query("SELECT '" + "x".repeat(30_000) + "'"));
        }

        assertThat(debug.isActive()).isFalse();
    }

    private int untilRefused(IntFunction<PgMessage[]> message) {
        for (int n = 0; n < 10_000; n++) {
            String said = say(debug, message.apply(n)) + say(debug, SYNC);
            if (said.contains("E")) {
                assertThat(said).contains("E:" + TOO_MUCH);
                return n;
            }
        }
        return Integer.MAX_VALUE;
    }

    private EmbeddedChannel connect() {
        return connect(new MemoryBudget(ALL, all));
    }

    private EmbeddedChannel connect(MemoryBudget budget) {
        UpstreamReplay<PgReply> replay = test.replay(Duration.ofHours(1), budget);
        EmbeddedChannel channel = new EmbeddedChannel(new PgReplayHandler(replay, facts, backends, tls()));
        channel.closeFuture().addListener(over -> replay.memory().close());
        byte[] startup =
                new PgWriter().int32(3 << 16).string("user").string("u").int8(0).toBytes();
        say(channel, new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        return channel;
    }

    private static TlsPort tls() {
        try {
            return DebugTls.open(null, List.of(), InstantSource.system(), Runnable::run)
                    .port("test", List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PgMessage[] list(PgMessage... messages) {
        return messages;
    }

    private static PgMessage query(String sql) {
        return new PgWriter().string(sql).toMessage('Q');
    }

    private static PgMessage parse(String name, String sql) {
        return new PgWriter().string(name).string(sql).int16(0).toMessage('P');
    }

    private static PgMessage bind(String portal, String statement, byte[]... values) {
        PgWriter writer =
                new PgWriter().string(portal).string(statement).int16(0).int16(values.length);
        for (byte[] value : values) {
            writer.value(value);
        }
        return writer.int16(0).toMessage('B');
    }

    private static PgMessage close(String statement) {
        return new PgWriter().int8('S').string(statement).toMessage('C');
    }

    private static String say(EmbeddedChannel channel, PgMessage... messages) {
        PgWriter writer = new PgWriter();
        for (PgMessage message : messages) {
            writer.int8(message.type()).int32(message.body().length + 4).bytes(message.body());
        }
        return say(channel, writer.toBytes());
    }

    /** The types of what is answered, errors with their SQLSTATE. */
    private static String say(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        channel.runPendingTasks();
        channel.checkException();
        List<String> said = new ArrayList<>();
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            all.writeBytes(out);
            out.release();
        }
        while (all.isReadable()) {
            char type = (char) all.readByte();
            byte[] body = new byte[all.readInt() - 4];
            all.readBytes(body);
            said.add(type == 'E' ? "E:" + PgErrors.state(new PgMessage(type, body)) : String.valueOf(type));
        }
        return String.join(" ", said);
    }
}
