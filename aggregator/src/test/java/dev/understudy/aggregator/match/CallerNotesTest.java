package dev.understudy.aggregator.match;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Times are milliseconds on our clock; the agent's is the same unless said. */
class CallerNotesTest {
    private static final long MILLI = 1_000_000;
    private static final int PORT = 40_001;
    private static final int TO = 7_432;

    private long now = 100_000 * MILLI;
    private final CallerNotes callers = new CallerNotes(() -> now);

    @Test
    void requestAfterItsOwnWrite_isThatExchanges() {
        told(100_010, write(PORT, 100_005, 7));

        assertThat(of(PORT, 100_000, 100_001, 100_006).trace()).isEqualTo(trace(7));
    }

    /** The write that is known was the request's before. */
    @Test
    void requestBeforeItsOwnWriteIsTold_isToBeAskedForAgain() {
        told(100_010, write(PORT, 100_005, 7));

        assertThat(of(PORT, 100_000, 100_008, 100_012).settled()).isFalse();
        told(100_011);
        assertThat(of(PORT, 100_000, 100_008, 100_012).settled()).isFalse();
        told(100_013, write(PORT, 100_012, 8));
        assertThat(of(PORT, 100_000, 100_008, 100_012).trace()).isEqualTo(trace(8));
    }

    /** Of pipelined requests, and of one in two pieces, no write is later than the last answer. */
    @Test
    void requestWithoutAWriteOfItsOwn_isTheLastWrites_onceAllIsTold() {
        told(100_010, write(PORT, 100_005, 7));
        assertThat(of(PORT, 100_000, 100_008, 100_012).settled()).isFalse();
        told(100_012);
        assertThat(of(PORT, 100_000, 100_008, 100_012).trace()).isEqualTo(trace(7));
    }

    /** One port of the debug JVM's may have connections to several of ours. */
    @Test
    void writeToAnotherPort_isAnotherConnections() {
        told(100_010, new CallerNews.Write(PORT, TO + 1, 100_005 * MILLI, trace(7)));

        assertThat(of(PORT, 100_000, 100_001, 100_006)).isEqualTo(CallerNotes.Said.NOTHING);
    }

    @Test
    void threadThatServesNothing_asksForNothing() {
        told(100_010, write(PORT, 100_005, null));

        assertThat(of(PORT, 100_000, 100_001, 100_006)).isEqualTo(new CallerNotes.Said(true, true, null));
    }

    @Test
    void connectionThatIsNotTold_isNobodys_onceAllIsTold() {
        told(100_010);
        assertThat(of(PORT, 100_000, 100_001, 100_012).settled()).isFalse();
        told(100_020);
        assertThat(of(PORT, 100_000, 100_001, 100_012)).isEqualTo(CallerNotes.Said.NOTHING);
    }

    /** A port that was another connection's before. */
    @Test
    void writeOfAnOlderConnection_doesNotCount() {
        told(100_010, write(PORT, 90_000, 7));
        assertThat(of(PORT, 100_000, 0, 100_005)).isEqualTo(CallerNotes.Said.NOTHING);
    }

    /** The connection is accepted after its first bytes have been written. */
    @Test
    void firstWrite_mayBeBeforeTheConnectionIsAccepted() {
        told(100_010, write(PORT, 99_999, 7));
        assertThat(of(PORT, 100_000, Long.MIN_VALUE / MILLI, 100_001).trace()).isEqualTo(trace(7));
    }

    @Test
    void lostWrites_makeWhatIsKnownWorthless() {
        now = 100_010 * MILLI;
        callers.told(new CallerNews(
                "one", true, 100_010 * MILLI, 0, 100_010 * MILLI, 100_007 * MILLI, List.of(write(PORT, 100_005, 7))));
        assertThat(of(PORT, 100_000, 100_001, 100_006)).isEqualTo(CallerNotes.Said.NOTHING);

        told(100_030, write(PORT, 100_020, 8));
        assertThat(of(PORT, 100_000, 100_001, 100_021).trace()).isEqualTo(trace(8));
    }

    @Test
    void portOfTwoProcesses_isNobodys() {
        told(100_010, write(PORT, 100_005, 7));
        tell("other", true, 100_011, 100_011, write(PORT, 100_006, 9));
        tell("one", true, 100_012, 100_012);

        assertThat(of(PORT, 100_000, 100_001, 100_007)).isEqualTo(CallerNotes.Said.NOTHING);
    }

    /** It may have been told too late by as much as a message takes, so that it counts as earlier. */
    @Test
    void writeOnAnotherClock_countsAsLaterThanTheAnswer_onlyIfItSurelyIs() {
        long there = 5_000;
        now = 100_010 * MILLI;
        tell("one", false, there + 10, there + 10, write(PORT, there + 8, 7));

        assertThat(of(PORT, 100_000, 100_004, 100_008).settled()).isFalse();
        assertThat(of(PORT, 100_000, 100_001, 100_008).trace()).isEqualTo(trace(7));
    }

    @Test
    void silence_endsIt() {
        told(100_010, write(PORT, 100_005, 7));
        now += 11_000 * MILLI;

        assertThat(callers.linked()).isFalse();
        assertThat(of(PORT, 100_000, 100_001, 100_006)).isEqualTo(CallerNotes.Said.NOTHING);
    }

    /** What is told of without end takes the place of what was told of longest ago. */
    @Test
    void connectionsWithoutEnd_areForgotten_theOldestFirst() {
        told(100_010, write(PORT, 100_005, 7));
        for (int to = 1; to <= 70_000; to++) {
            told(100_010, new CallerNews.Write(1 + to % 60_000, 1 + to / 60_000, 100_005 * MILLI, trace(8)));
        }

        assertThat(of(PORT, 100_000, 100_001, 100_006)).isEqualTo(CallerNotes.Said.NOTHING);
        told(100_010, write(PORT, 100_005, 9));
        assertThat(of(PORT, 100_000, 100_001, 100_006).trace()).isEqualTo(trace(9));
    }

    @Test
    void processesWithoutEnd_areForgotten() {
        for (int i = 0; i < 1_000; i++) {
            tell("run " + i, true, 100_010, 0, write(1 + i, 100_005, i));
        }
        told(100_020, write(PORT, 100_005, 7));
        assertThat(of(PORT, 100_000, 100_001, 100_006).trace()).isEqualTo(trace(7));
    }

    private void told(long until, CallerNews.Write... writes) {
        tell("one", true, until, until, writes);
    }

    private void tell(String run, boolean sameClock, long sent, long until, CallerNews.Write... writes) {
        if (sameClock) {
            now = Math.max(now, sent * MILLI);
        }
        callers.told(new CallerNews(run, sameClock, sent * MILLI, 0, until * MILLI, null, List.of(writes)));
    }

    private CallerNotes.Said of(int port, long opened, long answered, long nanos) {
        return callers.of(port, TO, opened * MILLI, answered * MILLI, nanos * MILLI);
    }

    private static CallerNews.Write write(int port, long at, @Nullable Integer trace) {
        return new CallerNews.Write(port, TO, at * MILLI, trace == null ? null : trace(trace));
    }

    private static TraceId trace(int number) {
        return new TraceId(0, number);
    }
}
