package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of several exchanges of one form a call gets. Times are milliseconds on the journal's clock. */
class ChoiceTest {
    private static final long MILLI = 1_000_000;
    private static final Form FORM = Form.of("GET", "GET counter");

    private record Text(String text) implements RecordedReply {
        @Override
        public long bytes() {
            return text.length();
        }

        @Override
        public long answer() {
            return text.hashCode();
        }
    }

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final List<Match<Text>> matches = new ArrayList<>();
    private long now = 10_000 * MILLI;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private final Journal<Text> journal =
            new Journal<>(new JournalBounds(1 << 20, Duration.ofMinutes(1), false), () -> now, inbound);

    @AfterEach
    void close() {
        caller.finishAndReleaseAll();
    }

    @Test
    void call_getsTheExchangeOfItsTraceFirst() {
        recorded("a", 1, 10, 20);
        recorded("b", 2, 11, 21);
        recorded("c", null, 12, 22);

        take(2);
        take(3);
        take(null);

        assertThat(answers()).containsExactly("b", "a", "c");
        assertThat(bases()).containsExactly(MatchReason.TRACE, MatchReason.ORDER, MatchReason.ORDER);
    }

    @Test
    void callInTheDebugTrace_getsWhatProductionsTraceGot() {
        told(exchange(1, 1, 101, 5, 30, 40, null), exchange(2, 2, 102, 6, 31, 41, null));
        recorded("a", 1, 10, 20);
        recorded("b", 2, 11, 21);

        take(102);
        take(101);

        assertThat(answers()).containsExactly("b", "a");
        assertThat(guesses()).containsExactly(false, false);
    }

    @Test
    void callWithoutTrace_getsWhatProductionGotInTheTimeOfWhatDebugServes() {
        told(exchange(1, null, null, 5, 15, 40, 50L), exchange(2, null, null, 20, 30, 60, null));
        recorded("a", null, 7, 8);
        recorded("b", null, 22, 23);
        recorded("c", null, 40, 41);

        takeUntold();
        told(exchange(2, null, null, 20, 30, 60, 70L));
        takeUntold();

        assertThat(answers()).containsExactly("b", "a");
        assertThat(bases()).containsExactly(MatchReason.INTERVAL, MatchReason.ORDER);
        assertThat(guesses()).containsExactly(false, true);
    }

    @Test
    void callsOfOverlappingExchangesWithoutTrace_areGuessesAndSaySo() {
        told(exchange(1, null, null, 5, 30, 40, null), exchange(2, null, null, 6, 31, 41, null));
        recorded("a", null, 10, 20);
        recorded("b", null, 11, 21);

        takeUntold();
        takeUntold();

        assertThat(answers()).containsExactly("a", "b");
        assertThat(guesses()).containsOnly(true);
    }

    @Test
    void equalAnswers_areNoGuess() {
        told(exchange(1, null, null, 5, 30, 40, null), exchange(2, null, null, 6, 31, 41, null));
        recorded("a", null, 10, 20);
        recorded("a", null, 11, 21);

        take(null);

        assertThat(guesses()).containsExactly(false);
    }

    @Test
    void call_waitsForItsOwnRatherThanTakeAnothers() {
        told(exchange(1, 1, 101, 5, 30, null, null), exchange(2, 2, 102, 6, 0, 9_999, null));
        recorded("a", 1, 10, 20);

        take(102);
        assertThat(matches).isEmpty();
        recorded("b", 2, 11, 21);
        caller.runPendingTasks();
        take(101);

        assertThat(answers()).containsExactly("b", "a");
    }

    @Test
    void twoCallsThatWait_eachGetTheirOwn() {
        told(exchange(1, 1, 101, 5, 0, 40, null), exchange(2, 2, 102, 6, 0, 41, null));
        take(101);
        take(102);

        recorded("b", 2, 11, 21);
        recorded("a", 1, 12, 22);
        caller.runPendingTasks();

        assertThat(answers()).containsExactly("b", "a");
        assertThat(origins()).containsExactly(2L, 1L);
    }

    @Test
    void callWhoseTraceIsntToldYet_waitsForTheTelling() {
        told(exchange(1, 1, 101, 5, 30, 40, null));
        recorded("a", 1, 10, 20);
        recorded("b", 2, 11, 21);

        take(102);
        assertThat(matches).isEmpty();
        told(exchange(2, 2, 102, 6, 31, 9_999, null));
        journal.lookAgain();
        caller.runPendingTasks();

        assertThat(answers()).containsExactly("b");
    }

    @Test
    void callOfNoExchange_doesntWaitForLong() {
        told(exchange(1, 1, 101, 5, 30, 40, null));
        recorded("a", null, 100, 101);

        take(77);
        assertThat(matches).isEmpty();
        pass(1_500);

        assertThat(answers()).containsExactly("a");
    }

    @Test
    void call_doesntWaitWhereAllThatWasBeforeHasBeenTold() {
        recorded("a", null, 10, 20);
        recorded("b", null, 11, 21);
        inbound.told(new News("a", true, now, 0, now, now, List.of(), List.of(), List.of()));

        take(77);
        take(null);

        assertThat(answers()).containsExactly("a", "b");
    }

    @Test
    void callWithoutTrace_doesntWaitForWhatDebugWasGivenLater() {
        told(exchange(1, null, null, 5, 30, 40, null));
        recorded("a", null, 40, 41);
        recorded("b", null, 50, 51);

        take(null);
        told(exchange(2, null, null, 9_990, 0, 10_001, null));
        pass(2);

        assertThat(answers()).containsExactly("a");
    }

    @Test
    void callOfAnotherTrace_isntTakenBeforeItsExchangeIsTold() {
        told(exchange(2, 2, 102, 6, 0, 9_999, null));
        recorded("a", 1, 10, 20);

        take(102);
        assertThat(matches).as("the exchange of trace 1 may be told any moment").isEmpty();
        recorded("b", 2, 11, 21);
        caller.runPendingTasks();

        assertThat(answers()).containsExactly("b");
    }

    @Test
    void serviceThatBeginsItsOwnTraces_isWaitedForAFewTimesOnly() {
        int waited = 0;
        for (int i = 1; i <= 30; i++) {
            told(exchange(i, 1_000 + i, 100 + i, 20L * i, 20L * i + 9, 9_999, null));
            told(exchange(i, 1_000 + i, 100 + i, now / MILLI, now / MILLI + 9, 9_999, null));
            recorded("a" + i, 5_000 + i, now / MILLI + 1, now / MILLI + 2);
            int before = matches.size();
            take(100 + i);
            waited += matches.size() == before ? 1 : 0;
            pass(1_500);
            assertThat(matches).hasSize(i);
            told(exchange(i, 1_000 + i, 100 + i, now / MILLI, now / MILLI + 9, 9_999, 9_999L));
        }

        assertThat(waited).isEqualTo(16);
        assertThat(answers()).doesNotContain("miss").doesNotHaveDuplicates();
    }

    @Test
    void answersOfOtherExchanges_areRatherMissedThanCrossed() {
        told(exchange(1, 1, 101, 5, 30, null, null), exchange(2, 2, 102, 6, 31, 9_990, null));
        recorded("a", 1, 10, 20);
        recorded("b", 1, 21, 22);

        take(102);
        pass(6_000);

        assertThat(answers()).containsExactly("miss");
        assertThat(((Match.Miss<Text>) matches.get(0)).why()).contains("other inbound requests");
    }

    @Test
    void answersThatDebugDidntAskFor_areFreeOnceItIsDone() {
        told(exchange(1, 1, 101, 5, 30, 40, 50L), exchange(2, 2, 102, 6, 31, 9_800, null));
        recorded("a", 1, 10, 20);
        recorded("b", 1, 21, 22);

        take(102);

        assertThat(answers()).containsExactly("a");
        assertThat(guesses()).containsExactly(true);
    }

    @Test
    void exchangesInOneTrace_areToldApartByTheirTimes() {
        told(exchange(1, 1, 101, 5, 15, null, null), exchange(2, 1, 102, 20, 30, 9_000, null));
        recorded("a", 1, 7, 8);
        recorded("b", 1, 22, 23);

        take(102);
        take(101);

        assertThat(answers()).containsExactly("b", "a");
        assertThat(guesses()).containsExactly(false, false);
    }

    @Test
    void tracesThatProductionMakesUp_areLearnedWhereOnlyOneExchangeCanHaveMadeTheCall() {
        told(exchange(1, null, 101, 5, 30, 40, null), exchange(2, null, 102, 20, 50, 41, null));
        recorded(Form.of("GET", "GET first"), "x", 91, 7, 8);
        recorded(Form.of("GET", "GET first"), "y", 92, 40, 41);
        recorded("b", 92, 23, 24);
        recorded("a", 91, 25, 26);

        take(Form.of("GET", "GET first"), 101);
        take(101);
        take(Form.of("GET", "GET first"), 102);
        take(102);

        assertThat(answers()).containsExactly("x", "a", "y", "b");
        assertThat(guesses()).containsOnly(false);
    }

    @Test
    void withoutASidecar_theOldestIsGiven() {
        recorded("a", null, 10, 20);
        recorded("b", null, 11, 21);

        take(null);
        take(null);

        assertThat(answers()).containsExactly("a", "b");
        assertThat(bases()).containsExactly(MatchReason.ORDER, MatchReason.ORDER);
        assertThat(guesses()).containsOnly(true);
    }

    @Test
    void sidecarThatFallsSilent_isWaitedForNoMore() {
        told(exchange(1, 1, 101, 5, 0, 40, null));
        recorded("b", null, 9_000, 9_001);
        recorded("a", 2, 10, 20);
        pass(11_000);

        take(101);

        assertThat(answers()).containsExactly("a");
    }

    private void pass(long millis) {
        now += millis * MILLI;
        caller.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        caller.runScheduledPendingTasks();
        caller.runPendingTasks();
    }

    private void recorded(String answer, @Nullable Integer trace, long start, long end) {
        recorded(FORM, answer, trace, start, end);
    }

    private void recorded(Form form, String answer, @Nullable Integer trace, long start, long end) {
        journal.add(form.in(trace(trace)), 1, start * MILLI, end * MILLI, new Text(answer));
    }

    private void take(@Nullable Integer trace) {
        take(FORM, trace);
    }

    private void take(Form form, @Nullable Integer trace) {
        journal.take(form.in(trace(trace)), TimeUnit.SECONDS.toNanos(5), caller.eventLoop(), matches::add);
    }

    /** Without a trace, and a moment later, when the sidecar has had time to tell what it knows. */
    private void takeUntold() {
        take((Integer) null);
        pass(2);
    }

    private void told(Inbound... news) {
        inbound.told(List.of(news), 0);
    }

    /** @param to 0 if production is still at it */
    private static Inbound exchange(
            long id,
            @Nullable Integer trace,
            @Nullable Integer debug,
            long from,
            long to,
            @Nullable Integer handed,
            @Nullable Long done) {
        TimeSpan span = new TimeSpan(from * MILLI, to == 0 ? Long.MAX_VALUE : to * MILLI);
        return new Inbound(
                id,
                trace(trace),
                trace(debug),
                span,
                handed == null ? null : handed * MILLI,
                done == null ? null : Long.valueOf(done * MILLI));
    }

    private static @Nullable TraceId trace(@Nullable Integer number) {
        return number == null ? null : new TraceId(7, number);
    }

    private List<String> answers() {
        return matches.stream()
                .map(match -> match instanceof Match.Hit<Text> hit
                        ? hit.recorded().reply().text()
                        : "miss")
                .toList();
    }

    private List<MatchReason> bases() {
        return reasons().stream().map(Reason::basis).toList();
    }

    private List<Boolean> guesses() {
        return reasons().stream().map(Reason::guessed).toList();
    }

    private List<@Nullable Long> origins() {
        List<@Nullable Long> origins = new ArrayList<>();
        reasons().forEach(reason -> origins.add(reason.inbound()));
        return origins;
    }

    private List<Reason> reasons() {
        return matches.stream()
                .map(match -> Objects.requireNonNull(((Match.Hit<Text>) match).reason()))
                .toList();
    }
}
