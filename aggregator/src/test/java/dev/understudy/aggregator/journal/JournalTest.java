package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.InboundExchanges;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JournalTest {
    private static final long WAIT = TimeUnit.SECONDS.toNanos(5);

    private record Text(String text, long bytes) implements RecordedReply {
        Text(String text) {
            this(text, text.length());
        }

        @Override
        public long answer() {
            return Checksum.of(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final List<Match<Text>> matches = new ArrayList<>();
    private long now = 1_000;
    private final Journal<Text> journal = journal(100_000, Duration.ofMinutes(1), true);

    @AfterEach
    void close() {
        caller.finishAndReleaseAll();
    }

    @Test
    void reply_isGivenOnceAndInProductionsOrder() {
        add("GET a", "1");
        add("GET b", "x");
        add("GET a", "2");

        take("GET a", 0);
        take("GET a", 0);
        take("GET a", 0);

        assertThat(answers()).containsExactly("1", "2", "miss");
        assertThat(journal.counts().unused()).isEqualTo(1);
        assertThat(journal.counts().exchanges()).isEqualTo(3);
    }

    @Test
    void reply_recordedLateByItsLaneIsStillGivenInProductionsOrder() {
        journal.add(form("GET a"), 1, 0, 20, new Text("second"));
        journal.add(form("GET a"), 2, 0, 30, new Text("third"));
        journal.add(form("GET a"), 3, 0, 10, new Text("first"));

        take("GET a", 0);
        take("GET a", 0);
        take("GET a", 0);

        assertThat(answers()).containsExactly("first", "second", "third");
    }

    @Test
    void newest_areThoseThatNobodyAskedFor() {
        add("GET a", "1");
        add("GET b", "x");
        add("GET a", "2");
        take("GET a", 0);

        assertThat(journal.newest(10))
                .extracting(item -> item.id() + " " + item.form().text() + " " + item.onDisk())
                .containsExactly("3 GET a false", "2 GET b false");
        assertThat(journal.newest(1)).extracting(JournalItem::id).containsExactly(3L);
        take("GET a", 0);
        take("GET b", 0);
        assertThat(journal.newest(10)).isEmpty();
    }

    @Test
    void request_waitsForProduction() {
        take("GET a", WAIT);
        assertThat(matches).isEmpty();

        now += 7_000_000;
        add("GET a", "1");
        caller.runPendingTasks();

        assertThat(matches).hasSize(1);
        assertThat(((Match.Hit<Text>) matches.get(0)).waitedNanos()).isEqualTo(7_000_000);
        assertThat(journal.counts().unused()).isZero();
    }

    @Test
    void request_missesAfterItsWait() {
        take("GET a", WAIT);
        now += WAIT;
        caller.advanceTimeBy(WAIT, TimeUnit.NANOSECONDS);
        caller.runScheduledPendingTasks();

        assertThat(answers()).containsExactly("miss");
        add("GET a", "1");
        assertThat(journal.counts().unused()).as("the late reply is kept").isEqualTo(1);
    }

    @Test
    void request_waitsWhileProductionsOwnCallIsUnderWay() {
        PendingCall call = journal.begin(form("GET a"));
        take("GET a", WAIT);
        pass(3 * WAIT);
        assertThat(answers()).isEmpty();

        add("GET a", "1");
        call.end();
        caller.runPendingTasks();

        assertThat(answers()).containsExactly("1");
        pass(3 * WAIT);
        assertThat(matches).hasSize(1);
    }

    @Test
    void request_waitsForACallThatBeganAfterIt() {
        take("GET a", WAIT);
        pass(WAIT / 2);
        journal.begin(form("GET a"));
        pass(WAIT);
        assertThat(answers()).isEmpty();

        add("GET a", "1");
        caller.runPendingTasks();
        assertThat(answers()).containsExactly("1");
    }

    @Test
    void request_missesAfterProductionsEndAndItsWait() {
        PendingCall call = journal.begin(form("GET a"));
        take("GET a", WAIT);
        take("GET a", WAIT);
        pass(2 * WAIT);
        add("GET a", "1");
        call.end();
        pass(0);
        pass(WAIT / 2);
        assertThat(answers()).containsExactly("1");
        pass(WAIT / 2);

        assertThat(answers()).containsExactly("1", "miss");
        assertThat(miss(1).why())
                .isEqualTo("production sent this request lately (1), and its replies are used already (1)");
        assertThat(miss(1).waitedNanos()).isEqualTo(3 * WAIT);
    }

    @Test
    void callsThatBeginAfterARequestsTime_dontHoldIt() {
        PendingCall first = journal.begin(form("GET a"));
        take("GET a", WAIT);
        pass(WAIT);
        journal.begin(form("GET a"));
        first.end();
        pass(0);
        pass(WAIT);

        assertThat(answers()).as("though production's next call is under way").containsExactly("miss");
    }

    @Test
    void callOfAnotherForm_holdsNoRequest() {
        journal.begin(form("GET b"));
        take("GET a", WAIT);
        pass(WAIT);

        assertThat(answers()).containsExactly("miss");
        assertThat(miss(0).why()).contains("has not sent this request lately", "raise `wait`");
    }

    @Test
    void requestThatDoesntWait_missesWithTheTrueReason() {
        journal.begin(form("GET a"));
        take("GET a", 0);

        assertThat(miss(0).why()).contains("production's own call is under way", "`wait`");
    }

    @Test
    void cancelledRequest_isntHeldByACall() {
        PendingCall call = journal.begin(form("GET a"));
        PendingRequest gone = take("GET a", WAIT);
        pass(WAIT);
        gone.cancel();
        call.end();
        pass(WAIT);
        add("GET a", "1");
        take("GET a", 0);

        assertThat(answers()).containsExactly("1");
    }

    @Test
    void waitingRequests_areServedFirstComeFirstServed() {
        take("GET a", WAIT);
        take("GET a", WAIT);
        add("GET a", "1");
        add("GET a", "2");
        caller.runPendingTasks();

        assertThat(answers()).containsExactly("1", "2");
    }

    @Test
    void cancelledRequest_givesBackTheReplyThatWasOnItsWay() {
        PendingRequest gone = take("GET a", WAIT);
        add("GET a", "1");
        gone.cancel();
        caller.runPendingTasks();
        add("GET a", "2");

        take("GET a", 0);
        take("GET a", 0);

        assertThat(answers()).containsExactly("1", "2");
    }

    @Test
    void cancelledRequest_noLongerWaits() {
        take("GET a", WAIT).cancel();
        add("GET a", "1");
        caller.runPendingTasks();

        take("GET a", 0);

        assertThat(answers()).containsExactly("1");
    }

    @Test
    void oldest_makesRoom() {
        Journal<Text> small = journal(8_000, Duration.ofMinutes(1), false);
        for (int i = 0; i < 100; i++) {
            small.add(form("GET " + i), 1, now, now, new Text("x".repeat(300)));
            assertThat(small.counts().bytes()).isLessThanOrEqualTo(8_000);
        }

        small.take(form("GET 0"), 0, caller.eventLoop(), matches::add);
        small.take(form("GET 99"), 0, caller.eventLoop(), matches::add);

        assertThat(miss(0).nearest()).isNotEmpty();
        assertThat(matches.get(1)).isInstanceOf(Match.Hit.class);
        JournalCounts counts = small.counts();
        assertThat(counts.evicted().get(Eviction.MEMORY)).isEqualTo(99 - counts.unused());
    }

    @Test
    void old_isEvicted() {
        add("GET a", "1");
        now += Duration.ofMinutes(2).toNanos();
        journal.expire();

        assertThat(journal.counts().unused()).isZero();
        assertThat(journal.counts().bytes()).isZero();
        assertThat(journal.counts().evicted()).containsEntry(Eviction.AGE, 1L);
        take("GET a", 0);
        assertThat(miss(0).why()).contains("evicted unused");
    }

    @Test
    void replyLargerThanAnEighth_isNotKept() {
        add("GET a", "x".repeat(20_000));

        assertThat(journal.counts().evicted()).containsEntry(Eviction.TOO_LARGE, 1L);
        assertThat(journal.counts().unused()).isZero();
    }

    @Test
    void miss_namesTheNearestFormsOfItsFamily() {
        for (String key : List.of("order:1", "order:12", "user:1", "order:7", "session:99")) {
            add("GET " + key, "x");
        }
        journal.add(Form.of("SET", "SET order:13"), 1, now, now, new Text("x"));

        take("GET order:13", 0);

        assertThat(miss(0).nearest())
                .hasSize(3)
                .contains("GET order:12", "GET order:1")
                .doesNotContain("SET order:13");
        assertThat(miss(0).why()).contains("not sent");
    }

    @Test
    void lastReply_isRememberedForRepeatableFormsOnly() {
        Form read = form("GET a").asRepeatable();
        Form write = form("SET a");
        journal.add(read, 1, now, now, new Text("1"));
        journal.add(read, 1, now, now, new Text("2"));
        journal.add(write, 1, now, now, new Text("OK"));

        assertThat(journal.lastOf(read)).extracting(Recorded::reply).isEqualTo(new Text("2"));
        assertThat(journal.lastOf(write)).isNull();
    }

    @Test
    void whatIsForgotten_isNoAnswerAnyMore_andIsCounted() {
        add("GET a", "old");
        add("GET b", "old");
        now += 10;
        add("GET a", "new");

        assertThat(journal.forget(5)).isEqualTo(2);
        take("GET a", 0);
        take("GET b", 0);

        assertThat(answers()).containsExactly("new", "miss");
        assertThat(miss(1).why()).contains("FORGOTTEN");
        assertThat(journal.counts().evicted()).containsEntry(Eviction.FORGOTTEN, 2L);
        assertThat(journal.counts().bytes()).isZero();
    }

    @Test
    void fact_isFoundByItsType() {
        journal.common().share("greeting", "hello");

        assertThat(journal.common().known("greeting", String.class)).isEqualTo("hello");
        assertThat(journal.common().known("greeting", Integer.class)).isNull();
        assertThat(journal.common().known("other", String.class)).isNull();
    }

    private Journal<Text> journal(long memory, Duration age, boolean repeat) {
        return new Journal<>(new JournalBounds(memory, age, repeat), () -> now, new InboundExchanges(() -> now));
    }

    private void add(String form, String reply) {
        journal.add(form(form), 1, now, now, new Text(reply));
    }

    private void pass(long nanos) {
        now += nanos;
        caller.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        caller.runScheduledPendingTasks();
        caller.runPendingTasks();
    }

    private PendingRequest take(String form, long wait) {
        return journal.take(form(form), wait, caller.eventLoop(), matches::add);
    }

    private Match.Miss<Text> miss(int index) {
        return (Match.Miss<Text>) matches.get(index);
    }

    private List<String> answers() {
        return matches.stream()
                .map(match -> match instanceof Match.Hit<Text> hit
                        ? hit.recorded().reply().text()
                        : "miss")
                .toList();
    }

    private static Form form(String text) {
        return Form.of(text.substring(0, 3), text);
    }
}
