package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.exchange.ShapeHistory;
import dev.understudy.aggregator.postgres.sql.Parameter;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.postgres.replay.PgTestClient.bind;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.describe;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.execute;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.parse;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.query;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.read;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.send;
import static dev.understudy.aggregator.postgres.replay.PgTestClient.startup;
import static org.assertj.core.api.Assertions.assertThat;

class PgReplayHandlerTest {
    private static final PgMessage SYNC = new PgMessage('S', new byte[0]);
    private static final TlsPort TLS = tls();

    private static final PgSessionState STATE = new PgSessionState("u", "", "");
    private static final int INT4 = 23;
    private static final List<Column> COLUMNS = List.of(new Column("n", 0, (short) 0, INT4, (short) 4, -1));

    private final ReplayCounts counts = new ReplayCounts();
    private final Journal<PgReply> journal = new Journal<>(
            new JournalBounds(1 << 20, Duration.ofHours(1), false), () -> 0L, new InboundExchanges(() -> 0L));
    private final UpstreamReplay<PgReply> replay = replay(Duration.ZERO);
    private final ServerFacts facts = new ServerFacts();
    private final Backends backends = new Backends();

    @Test
    void anybody_isLetIn() {
        EmbeddedChannel channel = open();
        send(channel, new PgWriter().int32(8).int32(80877104).toBytes());
        assertThat(read(channel)).isEqualTo("N");
        send(channel, startup(3 << 16));

        assertThat(read(channel)).startsWith("R").endsWith("KZI");
        channel.finishAndReleaseAll();
    }

    @Test
    void plainTextBehindTheRequestForTls_endsTheConnection() {
        EmbeddedChannel channel = open();
        byte[] both = new PgWriter().int32(8).int32(80877103).int32(8).toBytes();
        send(channel, both);

        channel.checkException();
        assertThat(channel.isActive()).isFalse();
        channel.finishAndReleaseAll();
    }

    @Test
    void requestForTls_isRefused_whereItIsntOffered() {
        EmbeddedChannel channel = new EmbeddedChannel(new PgReplayHandler(replay, facts, backends, null));
        send(channel, new PgWriter().int32(8).int32(80877103).toBytes());
        assertThat(read(channel)).isEqualTo("N");
        send(channel, startup(3 << 16));

        assertThat(read(channel)).startsWith("R").endsWith("KZI");
        channel.finishAndReleaseAll();
    }

    @Test
    void newerProtocol_isNegotiatedDown() {
        EmbeddedChannel channel = open();
        send(channel, startup((3 << 16) + 9999));

        assertThat(read(channel)).startsWith("vR");
        channel.finishAndReleaseAll();
    }

    @Test
    void statements_areThisConnectionsOwn() {
        EmbeddedChannel channel = started();
        send(channel, parse("SELECT 1"), bind(), describe(), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("12TDCZI");

        send(channel, parse("BEGIN"), bind(), describe(), execute(), parse("SELECT 1"), bind(), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("12nC12DCZT");

        send(channel, bind("missing"), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("E26000ZE");

        send(channel, parse("SELECT 1"), SYNC, query("ROLLBACK"));
        assertThat(read(channel)).isEqualTo("E25P02ZECZI");
        channel.finishAndReleaseAll();
    }

    /** Some clients execute what they had described long ago: the answer comes without columns then. */
    @Test
    void portalOfAnAnswerWithoutColumns_isDescribedByWhatWasToldLast() {
        String sql = "SELECT n FROM told";
        record(PgForms.statement(STATE, new Wording(sql), List.of()));
        record(PgForms.statement(STATE, new Wording(sql), List.of()));
        EmbeddedChannel channel = started();
        send(channel, parse(sql), bind(), describe(), execute(), SYNC);
        assertThat(read(channel)).as("never described").isEqualTo("12EUD002ZI");

        described(sql, List.of());
        send(channel, parse(sql), bind(), describe(), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("12TDCZI");
        channel.finishAndReleaseAll();
    }

    /**
     * A client that has heard of a parameter's type sends its value in that type's binary format, and declares nothing.
     */
    @Test
    void valueOfADescribedType_countsAsOfThatType() {
        String sql = "SELECT n FROM told WHERE n = $1";
        byte[] seven = {0, 0, 0, 7};
        record(PgForms.statement(STATE, new Wording(sql), List.of(new Parameter(INT4, true, seven))));
        described(sql, List.of(INT4));
        EmbeddedChannel channel = started();
        send(channel, parse(sql), new PgWriter().int8('S').string("").toMessage('D'), SYNC);
        assertThat(read(channel)).isEqualTo("1tTZI");

        PgWriter bind = new PgWriter().string("").string("").int16(1).int16(1).int16(1);
        send(channel, bind.value(seven).int16(0).toMessage('B'), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("2DCZI");
        channel.finishAndReleaseAll();
    }

    @Test
    void preparationWithoutRoomToWaitForIts_isAMiss() {
        EmbeddedChannel others = new EmbeddedChannel();
        for (int i = 0; i < 10_000; i++) {
            facts.await(i, String.class, others.eventLoop(), TimeUnit.HOURS.toNanos(1), fact -> {});
        }
        UpstreamReplay<PgReply> patient = replay(Duration.ofSeconds(20));
        EmbeddedChannel channel = started(new PgReplayHandler(patient, facts, backends, TLS));
        send(channel, parse("SELECT n FROM nowhere"), SYNC, query("BEGIN"));

        assertThat(read(channel)).isEqualTo("EUD001ZICZT");
        channel.finishAndReleaseAll();
        others.finishAndReleaseAll();
    }

    private void described(String sql, List<Integer> parameters) {
        ShapeHistory history = new ShapeHistory();
        history.described(new Shape(parameters, COLUMNS, null), 0);
        facts.learn(new Shape.Key(SqlSpelling.MEANING.postgres(sql), List.of(), STATE), history, 100);
    }

    private void record(Form form) {
        PgMessage row = new PgWriter().int16(1).value(new byte[] {'7'}).toMessage('D');
        PgMessage end = new PgWriter().string("SELECT 1").toMessage('C');
        PgTransaction transaction = new PgTransaction();
        transaction.end(Outcome.COMMITTED, null);
        journal.add(
                form,
                1,
                0,
                0,
                new PgResult(null, Formats.TEXT, List.of(row), List.of(), end, null, TextStyle.DEFAULT, transaction));
    }

    @Test
    void portal_endsWithItsTransaction() {
        EmbeddedChannel channel = started();
        send(channel, parse("SELECT 1"), bind(), SYNC);
        assertThat(read(channel)).isEqualTo("12ZI");
        send(channel, execute(), SYNC);
        assertThat(read(channel)).isEqualTo("E34000ZI");

        send(channel, query("BEGIN"), parse("SELECT 1"), bind(), SYNC, execute(), SYNC);
        assertThat(read(channel)).as("a block goes on").isEqualTo("CZT12ZTDCZT");
        channel.finishAndReleaseAll();
    }

    @Test
    void portalThatWasBegun_isNotReadOnInAFailedTransaction() {
        EmbeddedChannel channel = started();
        send(channel, query("BEGIN"), parse("SELECT 1"), bind(), execute(), SYNC);
        assertThat(read(channel)).isEqualTo("CZT12DCZT");
        send(channel, bind("missing"), SYNC, execute(), SYNC);
        assertThat(read(channel)).isEqualTo("E26000ZEE25P02ZE");
        channel.finishAndReleaseAll();
    }

    @Test
    void textOfVeryManyStatements_isAnsweredOneByOne() {
        EmbeddedChannel channel = started();
        send(channel, query("SELECT 1;".repeat(10_000)));
        assertThat(read(channel)).isEqualTo("TDC".repeat(10_000) + "ZI");
        channel.finishAndReleaseAll();
    }

    @Test
    void savepoint_isKnownByTheNameThatTheServerReads() {
        EmbeddedChannel channel = started();
        send(channel, query("BEGIN"), query("SAVEPOINT One"), query("ROLLBACK TO \"one\""));
        assertThat(read(channel)).isEqualTo("CZTCZTCZT");
        send(channel, query("ROLLBACK TO \"One\""));
        assertThat(read(channel)).isEqualTo("E3B001ZE");
        channel.finishAndReleaseAll();
    }

    @Test
    void savepoint_endsWithItsTransaction() {
        EmbeddedChannel channel = started();
        send(channel, query("BEGIN"), query("SAVEPOINT a"), query("ROLLBACK TO a"), query("ROLLBACK"));
        assertThat(read(channel)).isEqualTo("CZTCZTCZTCZI");
        send(channel, query("BEGIN"), query("ROLLBACK TO a"));
        assertThat(read(channel)).isEqualTo("CZTE3B001ZE");
        channel.finishAndReleaseAll();
    }

    @Test
    void simpleQuery_replacesTheUnnamedStatementAndPortal() {
        EmbeddedChannel channel = started();
        send(channel, parse("SELECT 1"), SYNC, query("SELECT 1"), bind(), SYNC);
        assertThat(read(channel)).isEqualTo("1ZITDCZIE26000ZI");
        channel.finishAndReleaseAll();
    }

    @Test
    void miss_skipsToTheNextSync() {
        EmbeddedChannel channel = started();
        send(channel, parse("SELECT x"), bind(), describe(), execute(), parse("SELECT 1"), bind(), execute(), SYNC);

        assertThat(read(channel)).isEqualTo("12EUD001ZI");
        assertThat(counts.missed()).isEqualTo(1);
        channel.finishAndReleaseAll();
    }

    @Test
    void cancelOfANobody_closesQuietly() {
        EmbeddedChannel channel = open();
        send(
                channel,
                new PgWriter().int32(16).int32(80877102).int32(99).int32(0).toBytes());

        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void otherProtocol_isRefused() {
        EmbeddedChannel channel = open();
        send(channel, new byte[] {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P'});

        assertThat(read(channel)).isEqualTo("E08P01");
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void anyBytes_endInAnswersOrAnError() {
        for (int i = 0; i < 3000; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            EmbeddedChannel channel = started();
            try {
                for (int j = random.nextInt(20); j > 0 && channel.isActive(); j--) {
                    send(channel, random(random));
                }
                read(channel);
                channel.finishAndReleaseAll();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static PgMessage random(Random random) {
        char type = "PBDECSHQFdcfpX".charAt(random.nextInt(14));
        byte[] body = new byte[random.nextInt(12)];
        random.nextBytes(body);
        return switch (random.nextInt(8)) {
            case 0 -> new PgMessage(type, body);
            case 1 -> parse(random.nextBoolean() ? "SELECT 1" : "COMMIT");
            case 2 -> bind();
            case 3 -> execute();
            case 4 -> describe();
            case 5 -> query("BEGIN; SAVEPOINT a; SHOW TimeZone; ROLLBACK TO b");
            case 6 -> query("SET x = 1;;");
            default -> SYNC;
        };
    }

    private static TlsPort tls() {
        try {
            return DebugTls.open(null, List.of(), InstantSource.system(), Runnable::run)
                    .port("test", List.of("postgresql"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private UpstreamReplay<PgReply> replay(Duration patience) {
        return new UpstreamReplay<>(
                "test",
                journal,
                CallPolicy.of(new MissPolicy(patience, Miss.FAIL)),
                counts,
                new Misses(InstantSource.fixed(Instant.EPOCH)),
                new Matches(InstantSource.fixed(Instant.EPOCH), matched -> {}),
                100_000);
    }

    private EmbeddedChannel open() {
        return new EmbeddedChannel(new PgReplayHandler(replay, facts, backends, TLS));
    }

    private EmbeddedChannel started() {
        return started(new PgReplayHandler(replay, facts, backends, TLS));
    }

    private static EmbeddedChannel started(PgReplayHandler handler) {
        EmbeddedChannel channel = new EmbeddedChannel(handler);
        send(channel, startup(3 << 16));
        read(channel);
        return channel;
    }
}
