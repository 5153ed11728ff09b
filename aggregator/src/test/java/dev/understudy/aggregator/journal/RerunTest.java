package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TraceId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A request that the debug JVM is sent once more gets what it got before, and nothing that others wait for. */
class RerunTest {
    private static final Form COUNTER = Form.of("GET", "GET counter");
    private static final Form OTHER = Form.of("GET", "GET other");
    private static final TraceId FIRST = new TraceId(0, 101);
    private static final TraceId AGAIN = new TraceId(0, 201);

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final List<String> answers = new ArrayList<>();
    private long now = 10_000_000;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private final Journal<ReplyText> journal =
            new Journal<>(new JournalBounds(1 << 20, Duration.ofMinutes(1), false), () -> now, inbound);

    @AfterEach
    void close() {
        caller.finishAndReleaseAll();
    }

    @Test
    void itsCallsGetWhatTheyGotBefore_inOrder() {
        serve(1, FIRST);
        record(COUNTER, "one");
        record(OTHER, "x");
        record(COUNTER, "two");
        take(COUNTER, FIRST);
        take(COUNTER, FIRST);
        take(OTHER, FIRST);
        record(COUNTER, "of another exchange");

        rerun("a", AGAIN, 1);
        take(COUNTER, AGAIN);
        take(OTHER, AGAIN);
        take(COUNTER, AGAIN);
        take(COUNTER, AGAIN);
        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "two", "x", "one", "x", "two", "miss", "of another exchange");
    }

    @Test
    void eachRerunBeginsAnew() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);

        rerun("a", AGAIN, 1);
        rerun("a", new TraceId(0, 202), 1);
        take(COUNTER, AGAIN);
        take(COUNTER, new TraceId(0, 202));

        assertThat(answers).containsExactly("one", "one", "one");
    }

    @Test
    void exchangeThatGotNothing_getsNothing() {
        serve(1, FIRST);
        record(COUNTER, "one");

        rerun("a", AGAIN, 1);
        take(COUNTER, AGAIN);
        take(COUNTER, FIRST);

        assertThat(answers).containsExactly("miss", "one");
    }

    /** Its exchange 1 is another one. */
    @Test
    void anotherSidecar_countsAnew() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);

        rerun("b", AGAIN, 1);
        take(COUNTER, AGAIN);

        assertThat(answers).containsExactly("one", "miss");
    }

    @Test
    void callsAreAskedForTheirMaker_whileOneMayBeUnderWay() {
        assertThat(journal.wantsMaker(COUNTER)).isFalse();
        rerun("a", AGAIN, 1);
        assertThat(journal.wantsMaker(COUNTER)).isTrue();
        now += Duration.ofMinutes(2).toNanos();
        assertThat(journal.wantsMaker(COUNTER)).isFalse();
    }

    /** As clients do that share connections: nobody says for whom they ask. */
    @Test
    void callsThatSayNothing_areTheReruns_whileDebugIsAtNothingElse() {
        serve(1, FIRST);
        record(COUNTER, "one");
        record(COUNTER, "two");
        take(COUNTER, FIRST);
        take(COUNTER, FIRST);
        record(COUNTER, "of another exchange");
        over(1);

        rerun("a", AGAIN, 1);
        tellNothing();
        take(COUNTER, null);
        take(COUNTER, AGAIN);
        take(COUNTER, null);

        tell("a", List.of(), List.of(new News.Again(AGAIN, 1, true, true)));
        now += 1_000;
        take(COUNTER, null);

        assertThat(answers)
                .as("what it didn't get before is nobody else's")
                .containsExactly("one", "two", "one", "two", "miss", "of another exchange");
    }

    @Test
    void callsThatSayNothing_waitUntilAllHasBeenTold() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        record(COUNTER, "of another exchange");
        over(1);
        rerun("a", AGAIN, 1);

        now += 1_000;
        wait(COUNTER);
        assertThat(answers).containsExactly("one");
        now += 1_000;
        tellNothing();
        journal.lookAgain();
        caller.runPendingTasks();

        assertThat(answers).containsExactly("one", "one");
    }

    @Test
    void callsThatSayNothing_areNotTheReruns_whileDebugServesAnother() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        rerun("a", AGAIN, 1);
        serve(2, new TraceId(0, 102));
        record(COUNTER, "of another exchange");
        tellNothing();

        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "of another exchange");
    }

    /** It was sent before that was over. */
    @Test
    void callsThatSayNothing_areNotTheReruns_shortlyAfterAnother() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        rerun("a", AGAIN, 1);
        tell("a", List.of(new News.Told(2, now - 500, now, now - 400, now, null, null, null)), List.of());
        record(COUNTER, "of another exchange");
        tellNothing();

        take(COUNTER, null);
        now += Duration.ofMillis(101).toNanos();
        tellNothing();
        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "of another exchange", "one");
    }

    @Test
    void callsThatSayNothing_areNotTheReruns_onceThatIsOver() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        rerun("a", AGAIN, 1);
        tell("a", List.of(), List.of(new News.Again(AGAIN, 1, true, true)));
        record(COUNTER, "of another exchange");
        now += 1_000;
        tellNothing();

        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "of another exchange");
    }

    /** There may be connections of which nobody knows what debug does for them. */
    @Test
    void callsThatSayNothing_areNotTheReruns_unlessAllElseIsTold() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        tell("a", List.of(), List.of(new News.Again(AGAIN, 1, false, false)));
        record(COUNTER, "of another exchange");
        tellNothing();

        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "of another exchange");
    }

    /** A call of the background, for example. */
    @Test
    void callsThatWereMadeBefore_areNotTheReruns() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        wait(COUNTER);
        now += 1_000;
        rerun("a", AGAIN, 1);
        tellNothing();
        journal.lookAgain();
        caller.runPendingTasks();
        record(COUNTER, "of the background");
        caller.runPendingTasks();

        assertThat(answers).containsExactly("one", "of the background");
    }

    /** Nobody knows of which. */
    @Test
    void callsThatSayNothing_areNoRerunsOfSeveral() {
        serve(1, FIRST);
        record(COUNTER, "one");
        take(COUNTER, FIRST);
        over(1);
        rerun("a", AGAIN, 1);
        rerun("a", new TraceId(0, 202), 1);
        record(COUNTER, "of another exchange");
        tellNothing();

        take(COUNTER, null);

        assertThat(answers).containsExactly("one", "of another exchange");
    }

    /** Nobody said for which of them it was asked. */
    @Test
    void replyThatTwoMayHaveGot_isBoths_ifThereIsNoOther() {
        serveBoth();
        record(COUNTER, "one");
        take(COUNTER, null);
        rerun("a", AGAIN, 1);
        rerun("a", new TraceId(0, 202), 2);

        take(COUNTER, AGAIN);
        take(COUNTER, new TraceId(0, 202));

        assertThat(answers).containsExactly("one", "one", "one");
    }

    @Test
    void replyThatTwoMayHaveGot_isNobodys_ifThereAreOthers() {
        record(COUNTER, "earlier");
        take(COUNTER, null);
        serveBoth();
        record(COUNTER, "one");
        take(COUNTER, null);
        rerun("a", AGAIN, 1);

        take(COUNTER, AGAIN);

        assertThat(answers).containsExactly("earlier", "one", "miss");
    }

    private void serveBoth() {
        for (long exchange = 1; exchange <= 2; exchange++) {
            TraceId trace = new TraceId(0, 100 + exchange);
            List<News.Told> told = List.of(new News.Told(exchange, now - 1_000, null, now, null, null, trace, null));
            tell("a", told, List.of());
        }
    }

    /** Debug is done with it, and that is some time ago. */
    private void over(long exchange) {
        long done = now + 1_000;
        tell("a", List.of(new News.Told(exchange, now - 9_000, done, now - 8_000, done, null, FIRST, null)), List.of());
        now += Duration.ofSeconds(1).toNanos();
    }

    private void tellNothing() {
        tell("a", List.of(), List.of());
    }

    private void wait(Form form) {
        journal.take(form, Duration.ofSeconds(5).toNanos(), caller.eventLoop(), this::got);
    }

    private void serve(long exchange, TraceId debugTrace) {
        tell("a", List.of(new News.Told(exchange, now - 1_000, null, now, null, null, debugTrace, null)), List.of());
    }

    private void rerun(String run, TraceId trace, long exchange) {
        tell(run, List.of(), List.of(new News.Again(trace, exchange, true, false)));
    }

    private void tell(String run, List<News.Told> exchanges, List<News.Again> reruns) {
        inbound.told(new News(run, true, now, 0, now, now, exchanges, reruns, List.of()));
    }

    private void record(Form form, String text) {
        now += 1_000;
        journal.add(form, 1, now - 500, now, new ReplyText(text, null));
    }

    private void take(Form form, @Nullable TraceId trace) {
        journal.take(form.in(trace), 0, caller.eventLoop(), this::got);
    }

    private void got(Match<ReplyText> match) {
        answers.add(
                match instanceof Match.Hit<ReplyText> hit
                        ? hit.recorded().reply().text()
                        : "miss");
    }
}
