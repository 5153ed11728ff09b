package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.outgoing.CallDifference.Kind.ADDED;
import static dev.understudy.aggregator.outgoing.CallDifference.Kind.CHANGED;
import static dev.understudy.aggregator.outgoing.CallDifference.Kind.LEFT_OUT;
import static dev.understudy.aggregator.outgoing.CallDifference.Kind.REORDERED;
import static org.assertj.core.api.Assertions.assertThat;

/** Whose calls are whose, and how they differ. Times are milliseconds. */
class OutgoingCallsTest {
    private static final long MILLI = 1_000_000;
    private static final String DB = "db";

    private long now;
    private long recorded;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private boolean changing = true;
    private final OutgoingCalls outgoing = new OutgoingCalls(inbound, () -> now, (upstream, form) -> changing);

    @Test
    void calls_thatBothMade_areTheSame() {
        asked("select 1", null, 110, made("select 1", null, 11, 12));
        asked("insert 2", null, 120, made("insert 2", null, 13, 14));

        Compared compared = compare(exchange(7, null, null, 10, 20, 100, 130));

        assertThat(compared).isEqualTo(Compared.of(7, 2, 2, List.of(), 0));
        assertThat(compared.kind()).isEqualTo(VerdictKind.SAME);
        assertThat(outgoing.latest(null, 9)).containsExactly(compared);
    }

    @Test
    void callThatDebugAddsLeavesOutOrChanges_isTold() {
        made("get a", null, 11, 12);
        made("set b", null, 13, 14);
        made("get c", null, 15, 16);
        asked("get c", null, 110, null);
        asked("set x", null, 115, null);
        asked("del d", null, 120, null);

        Compared compared = compare(exchange(1, null, null, 10, 20, 100, 130));

        assertThat(compared.kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compared.differences())
                .containsExactly(
                        new CallDifference(LEFT_OUT, DB, "get a", null),
                        new CallDifference(CHANGED, DB, "set b", "set x"),
                        new CallDifference(ADDED, DB, null, "del d"));
        assertThat(outgoing.count(ADDED)).isEqualTo(1);
    }

    @Test
    void callThatDebugRepeats_isAdded() {
        asked("get a", null, 110, made("get a", null, 11, 12));
        asked("get a", null, 115, null);

        assertThat(compare(exchange(1, null, null, 10, 20, 100, 130)).differences())
                .containsExactly(new CallDifference(ADDED, DB, null, "get a"));
    }

    @Test
    void callsInTheOtherOrder_areTold_unlessTheyOverlapInProductionOrDebug() {
        long a = made("get a", null, 11, 12);
        long b = made("set b", null, 13, 14);
        asked("set b", null, 110, b);
        asked("get a", null, 111, a);
        long c = made("get c", null, 51, 53);
        long d = made("set d", null, 52, 54);
        asked("set d", null, 210, d);
        asked("get c", null, 211, c);
        long e = made("get e", null, 71, 72);
        long f = made("set f", null, 73, 74);
        asked("get e", null, 309, 5, e);
        asked("set f", null, 308, 4, f);

        assertThat(compare(exchange(1, null, null, 10, 20, 100, 130)).differences())
                .containsExactly(new CallDifference(REORDERED, DB, "get a", "set b"));
        assertThat(compare(exchange(2, null, null, 50, 60, 200, 230)).kind()).isEqualTo(VerdictKind.SAME);
        assertThat(compare(exchange(3, null, null, 70, 80, 300, 330)).kind()).isEqualTo(VerdictKind.SAME);
    }

    @Test
    void callsOfExchangesAtTheSameTime_areToldApartByTrace() {
        long a = made("get a", 1, 11, 12);
        made("get b", 2, 11, 12);
        asked("get a", 101, 110, a);
        asked("get x", 102, 110, null);

        List<Compared> compared = told(exchange(1, 1, 101, 10, 20, 100, 130), exchange(2, 2, 102, 10, 20, 100, 130));

        assertThat(compared.get(0).kind()).isEqualTo(VerdictKind.SAME);
        assertThat(compared.get(1).differences()).containsExactly(new CallDifference(CHANGED, DB, "get b", "get x"));
    }

    @Test
    void callThatMayBeOfSeveralExchanges_leavesThemUncompared() {
        made("get a", null, 11, 12);
        asked("get b", null, 310, null);

        List<Compared> compared = told(
                exchange(1, null, null, 10, 20, 100, 130),
                exchange(2, null, null, 5, 25, 200, 230),
                exchange(3, null, null, 50, 60, 300, 330),
                exchange(4, null, null, 70, 80, 305, 330),
                exchange(5, null, null, 90, 95, 400, 430));

        assertThat(compared)
                .extracting(Compared::reason)
                .containsExactly(
                        Uncompared.AMBIGUOUS, Uncompared.AMBIGUOUS, Uncompared.AMBIGUOUS, Uncompared.AMBIGUOUS, null);
        assertThat(outgoing.count(Uncompared.AMBIGUOUS)).isEqualTo(4);
    }

    @Test
    void pairsOfSeveralExchanges_thatAreEqual_leaveThemTheSame() {
        asked("get a", null, 110, made("get a", null, 11, 12));

        assertThat(told(exchange(1, null, null, 10, 20, 100, 130), exchange(2, null, null, 5, 25, 105, 130)))
                .extracting(Compared::kind)
                .containsExactly(VerdictKind.SAME, VerdictKind.SAME);
    }

    @Test
    void callThatEndsAfterTheReply_isTheSameIfDebugMakesIt() {
        asked("log", null, 120, made("log", null, 19, 30));
        asked("late", 101, 180, made("late", 1, 40, 50));

        assertThat(compare(exchange(1, 1, 101, 10, 20, 100, 130)).kind()).isEqualTo(VerdictKind.SAME);
    }

    @Test
    void callOfABackgroundJob_isNobodysDifference() {
        asked("poll", null, 120, made("poll", null, 55, 56));

        assertThat(compare(exchange(1, null, null, 10, 20, 100, 130)).reason()).isEqualTo(Uncompared.AMBIGUOUS);
    }

    @Test
    void exchange_thatWasNotRecordedWhole_isNotCompared() {
        now = 15 * MILLI;
        outgoing.lost();
        now = 45 * MILLI;
        outgoing.blind();
        now = 65 * MILLI;
        outgoing.blindNoMore();

        assertThat(told(
                        exchange(1, null, null, 10, 20, 300, 330),
                        exchange(2, null, null, 30, 40, 300, 330),
                        exchange(3, null, null, 50, 60, 300, 330),
                        exchange(4, null, null, 70, 80, 300, 330)))
                .extracting(Compared::reason)
                .containsExactly(Uncompared.NOT_RECORDED, Uncompared.NOT_RECORDED, Uncompared.NOT_RECORDED, null);
    }

    @Test
    void exchange_whoseCallsAreForgotten_isNotCompared() {
        for (int i = 0; i < 70_000; i++) {
            asked("get " + i, null, 10 + i, null);
        }

        assertThat(told(exchange(1, null, null, 10, 20, 100, 101), exchange(2, null, null, 30, 40, 69_990, 69_991)))
                .extracting(Compared::reason)
                .containsExactly(Uncompared.FORGOTTEN, null);
        assertThat(told(new News.Told(3, MILLI, 2 * MILLI, null, 3 * MILLI, null, null, null)))
                .extracting(Compared::reason)
                .containsExactly(Uncompared.NOT_SERVED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyCalls_areKeptWhileASidecarTells(boolean linked) {
        if (linked) {
            tell("one");
        }
        for (int i = 0; i < 5_000; i++) {
            asked("get " + i, null, 10 + i, null);
        }

        Uncompared reason = compare(exchange(1, null, null, 10, 20, 100, 101)).reason();

        assertThat(reason).isEqualTo(linked ? null : Uncompared.FORGOTTEN);
    }

    @Test
    void debugCallsWithLongTexts_areBoundedByTheirBytes() {
        DebugCalls calls = new DebugCalls();
        for (int i = 0; i < 2_000; i++) {
            calls.add(new DebugCall(i, DB, form("x".repeat(400) + i, null), i, i, null, false, false), 65_536, 100_000);
        }

        assertThat(calls.bytes()).isBetween(90_000L, 100_000L);
        assertThat(calls.askedIn(new TimeSpan(0, 2_000))).hasSizeBetween(100, 250);
        assertThat(calls.bytes()).isBetween(90_000L, 100_000L);
        List.copyOf(calls.askedIn(new TimeSpan(0, 2_000))).forEach(calls::remove);
        assertThat(calls.bytes()).isZero();
    }

    @Test
    void guess_countsForAllThatMayHaveMadeTheCall() {
        long first = made("get 1", null, 12, 13);
        made("get 1", null, 14, 15);
        doubtful("get 1", null, 110, first);

        assertThat(told(
                        exchange(1, null, null, 11, 16, 100, 120),
                        exchange(2, null, null, 11, 17, 105, 130),
                        exchange(3, null, null, 11, 18, 111, 131)))
                .extracting(Compared::guesses)
                .containsExactly(1, 1, 0);
        assertThat(outgoing.guessed()).isEqualTo(2);
    }

    @Test
    void doubtBetweenEqualReplies_isNoGuess() {
        changing = false;
        long first = made("get 1", null, 12, 13);
        doubtful("get 1", null, 110, first);

        assertThat(compare(exchange(1, null, null, 11, 16, 100, 120)).guesses()).isZero();
    }

    @Test
    void guessOfAKnownMaker_countsForThatOne() {
        long first = made("get 1", null, 12, 13);
        doubtful("get 1", 91, 110, first);

        assertThat(told(
                        exchange(1, null, 90, 11, 16, 100, 120),
                        exchange(2, null, 91, 11, 17, 105, 130),
                        exchange(3, null, 92, 11, 18, 109, 131)))
                .extracting(Compared::guesses)
                .containsExactly(0, 1, 0);
    }

    @Test
    void otherSidecarsExchanges_areOthers() {
        now = 500 * MILLI;
        tell("one", exchange(1, null, null, 10, 20, 100, 130));
        now += OutgoingCalls.SETTLING;

        assertThat(tell("other")).isEmpty();
    }

    private long made(String text, @Nullable Integer trace, long from, long to) {
        outgoing.made(DB, ++recorded, form(text, trace), from * MILLI, to * MILLI);
        return recorded;
    }

    private void asked(String text, @Nullable Integer trace, long at, @Nullable Long twin) {
        asked(text, trace, at, 0, twin);
    }

    private void asked(String text, @Nullable Integer trace, long answered, long waited, @Nullable Long twin) {
        now = answered * MILLI;
        outgoing.asked(DB, form(text, trace), waited * MILLI, twin, false, false);
    }

    private void doubtful(String text, @Nullable Integer trace, long at, @Nullable Long twin) {
        now = at * MILLI;
        outgoing.asked(DB, form(text, trace), 0, twin, false, true);
    }

    private static Form form(String text, @Nullable Integer trace) {
        return Form.of(text.substring(0, text.indexOf(' ') < 0 ? text.length() : text.indexOf(' ')), text)
                .in(trace(trace));
    }

    private static @Nullable TraceId trace(@Nullable Integer trace) {
        return trace == null ? null : new TraceId(0, trace);
    }

    private static News.Told exchange(
            long id,
            @Nullable Integer trace,
            @Nullable Integer debugTrace,
            long arrived,
            long replied,
            long handed,
            long done) {
        return new News.Told(
                id,
                arrived * MILLI,
                replied * MILLI,
                handed * MILLI,
                done * MILLI,
                trace(trace),
                trace(debugTrace),
                null);
    }

    private Compared compare(News.Told exchange) {
        return told(exchange).get(0);
    }

    private List<Compared> told(News.Told... exchanges) {
        now = Math.max(now, 70_500 * MILLI);
        List<Compared> compared = new ArrayList<>(tell("one", exchanges));
        assertThat(compared).as("not before all calls are there").isEmpty();
        now += OutgoingCalls.SETTLING;
        compared.addAll(tell("one"));
        return compared;
    }

    private List<Compared> tell(String run, News.Told... exchanges) {
        News news = new News(run, true, now, 0, now, now, List.of(exchanges), List.of(), List.of());
        inbound.told(news);
        return outgoing.told(news);
    }
}
