package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class PgConnectionRecorderTest extends PgRecorderStage {
    @Test
    void query_isRecordedWhenTheServerIsReady() {
        start();
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(row("2"), tag("SELECT 1"));
        assertThat(counts.exchanges()).isZero();
        server(ready('I'));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void blockOfTheClient_isRecordedAtOnce() {
        start();
        client(new PgWriter().string("BEGIN").toMessage('Q'));
        server(tag("BEGIN"), ready('T'));
        client(parse("SELECT 2"), bind(), execute());
        server(message('1'), message('2'), row("2"), tag("SELECT 1"));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void resultThatIsReadByAndBy_isOneExchange_butInABlockOneForEachPart() {
        start();
        for (int expected : new int[] {1, 1 + 3}) {
            client(parse("SELECT 2"), bind(), execute(1), execute(1), execute(), SYNC);
            server(message('1'), message('2'), row("1"), message('s'), row("2"), message('s'), tag("SELECT 0"));
            server(ready(expected == 1 ? 'I' : 'T'));
            assertThat(counts.exchanges()).isEqualTo(expected);
            client(new PgWriter().string("BEGIN").toMessage('Q'));
            server(tag("BEGIN"), ready('T'));
        }
    }

    /** What PREPARE TRANSACTION says of a failed block is no answer to one of a block that is sound. */
    @Test
    void preparedTransaction_isRecordedUnlessItWasOnlyRolledBack() {
        start();
        for (String said : new String[] {"ROLLBACK", "PREPARE TRANSACTION"}) {
            client(new PgWriter().string("BEGIN").toMessage('Q'));
            server(tag("BEGIN"), ready('T'));
            client(new PgWriter().string("PREPARE TRANSACTION 'one'").toMessage('Q'));
            server(tag(said), ready('I'));
            assertThat(counts.exchanges()).as(said).isEqualTo(said.equals("ROLLBACK") ? 0 : 1);
        }
    }

    @Test
    void agreedEncryption_isCountedAsSuch() {
        request(new PgWriter().int32(8).int32(80877103).toBytes());
        recorder.reply(ByteBuffer.wrap(new byte[] {'S'}), 0);
        request(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5});

        assertThat(counts.unrecorded(Unrecorded.ENCRYPTED)).isEqualTo(1);
    }

    @Test
    void garbage_isNotTheProtocol() {
        request("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P05", "25P03", "57P02"})
    void errorThatNobodyAskedFor_isAnOrdinaryEnd(String state) {
        start();
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(row("2"), tag("SELECT 1"), ready('I'));
        server(PgErrors.fatal(state, "terminating connection"));
        recorder.replyEnd(1);
        recorder.closed(1);

        assertThat(counts.exchanges()).isEqualTo(1);
        for (Unrecorded reason : Unrecorded.values()) {
            assertThat(counts.unrecorded(reason)).as("%s", reason).isZero();
        }
    }

    @Test
    void answerToNothing_endsTheRecording() {
        start();
        server(tag("SELECT 1"));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(tag("SELECT 1"), ready('I'));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
        assertThat(counts.exchanges()).isZero();
    }

    /** The server may end a session that asks nothing: it is shut down, or the session was idle for too long. */
    @Test
    void fatalErrorThatNobodyAskedFor_isAnOrdinaryEnd() {
        start();
        server(PgErrors.fatal("57P05", "terminating connection due to idle-session timeout"));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
        assertThat(counts.exchanges()).isZero();
    }

    @Test
    void errorThatNobodyAskedFor_endsTheRecording() {
        start();
        server(PgErrors.error("XX000", "confused", null, null));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void fatalErrorInAnswer_isTheReply() {
        start();
        client(new PgWriter().string("SELECT 1, pg_sleep(9)").toMessage('Q'));
        server(PgErrors.fatal("57P01", "terminating connection due to administrator command"));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void largeResult_isCountedAndTheNextIsRecorded() {
        start();
        for (int rows : new int[] {LARGEST, 1}) {
            client(parse("SELECT 2"), bind(), execute(), SYNC);
            server(message('1'), message('2'));
            for (int i = 0; i < rows; i++) {
                server(row("2"));
            }
            server(tag("SELECT " + rows), ready('I'));
        }

        assertThat(counts.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void largeMessages_areCountedInBothDirections() {
        start();
        client(new PgMessage('F', new byte[LARGEST + 1]));
        server(new PgMessage('V', new byte[4]), ready('I'));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(row("x".repeat(LARGEST)), tag("SELECT 1"), ready('I'));
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(message('1'), message('2'), row("x".repeat(LARGEST)), tag("SELECT 1"), ready('I'));

        assertThat(counts.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(3);
        assertThat(counts.exchanges()).isZero();
    }

    @Test
    void longText_isRecorded_unlessItsAnswerTellsThatTheSessionHasChanged() {
        for (String tag :
                new String[] {"SELECT 1", "INSERT 0 1", "CREATE TABLE", "SET", "BEGIN", "DO", "", "SELECTED"}) {
            open();
            start();
            long before = counts.exchanges();
            long lost = counts.unrecorded(Unrecorded.TOO_LARGE);
            client(longQuery("SELECT"));
            server(row("2"), tag("SELECT 1"), tag(tag), ready('I'));
            client(new PgWriter().string("SELECT 2").toMessage('Q'));
            server(row("2"), tag("SELECT 1"), ready('I'));
            boolean followed = "SELECT 1, INSERT 0 1, CREATE TABLE".contains(tag) && !tag.isEmpty();
            assertThat(counts.exchanges() - before).as(tag).isEqualTo(followed ? 2 : 0);
            assertThat(counts.unrecorded(Unrecorded.TOO_LARGE) - lost).as(tag).isEqualTo(followed ? 0 : 1);
        }
    }

    @Test
    void longText_thatIsNotAboutData_endsTheRecording() {
        for (String verb : new String[] {"SET x TO", "BEGIN; SELECT", "/*" + " ".repeat(5000) + "*/ SELECT", "COPY"}) {
            open();
            start();
            long lost = counts.unrecorded(Unrecorded.TOO_LARGE);
            client(longQuery(verb));
            server(tag("SELECT 1"), ready('I'));
            client(new PgWriter().string("SELECT 2").toMessage('Q'));
            server(row("2"), tag("SELECT 1"), ready('I'));
            assertThat(counts.unrecorded(Unrecorded.TOO_LARGE) - lost).as(verb).isEqualTo(1);
        }
        assertThat(counts.exchanges()).isZero();
    }

    @Test
    void failedTransactionsRefusals_areNotRecorded() {
        start();
        client(new PgWriter().string("BEGIN").toMessage('Q'));
        server(tag("BEGIN"), ready('T'));
        client(parse("SELECT 1/0"), bind(), execute(), SYNC);
        server(message('1'), message('2'), PgErrors.error("22012", "division by zero", null, null), ready('E'));
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(PgErrors.error(PgErrors.IN_FAILED_TRANSACTION, "aborted", null, null), ready('E'));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(PgErrors.error(PgErrors.IN_FAILED_TRANSACTION, "aborted", null, null), ready('E'));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void errorSkipsToTheNextSync_andTheRestIsInStep() {
        start();
        client(parse("SELECT 1/0"), bind(), execute(), parse("SELECT 3"), bind(), execute());
        server(message('1'), message('2'), PgErrors.error("22012", "division by zero", null, null));
        client(parse("SELECT 4"), bind(), execute(), SYNC, parse("SELECT 5"), bind(), execute(), SYNC);
        server(ready('I'), message('1'), message('2'), row("5"), tag("SELECT 1"), ready('I'));

        assertThat(counts.exchanges()).isEqualTo(2);
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
    }

    @Test
    void connectionLostInMidReply_isIncomplete() {
        start();
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(message('1'), message('2'), row("2"));
        recorder.closed(0);

        assertThat(counts.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(1);
    }
}
