package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.fact.Notifications.Channel;
import dev.understudy.aggregator.fact.Notifications.End;
import dev.understudy.aggregator.fact.Notifications.Listener;
import dev.understudy.aggregator.fact.Notifications.Note;
import dev.understudy.aggregator.fact.Notifications.Source;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which debug session hears what, with a clock that is moved by hand. */
class NotificationsTest {
    private static final Channel JOBS = new Channel("db", "jobs");

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong unheard = new AtomicLong();
    private final Notifications notifications = new Notifications(Duration.ofMinutes(1), now::get);

    @Test
    void sessionThatOutlivesItsTwin_goesOnWithTheNext() {
        Source first = opened();
        Listener debug = notifications.listen(JOBS, () -> {});
        first.end(End.LEFT, null);
        assertThat(debug.ending()).isNull();
        opened().add(note("later"));

        assertThat(debug.movesOn()).as("it may be about to end itself").isFalse();
        now.addAndGet(Objects.requireNonNull(debug.ending()).inNanos());
        assertThat(debug.movesOn()).isTrue();
        assertThat(payload(debug)).isEqualTo("later");
    }

    @Test
    void sessionThatIsAheadOfProduction_hearsItsOwn() {
        Source first = opened();
        notifications.listen(JOBS, () -> {}).end(false);
        Listener second = notifications.listen(JOBS, () -> {});
        first.end(End.LEFT, null);
        opened().add(note("own"));

        assertThat(second.movesOn()).isTrue();
        assertThat(payload(second)).isEqualTo("own");
    }

    @Test
    void sessionThatWaits_hasWhatAnotherGivesBack() {
        Source first = opened();
        Listener gone = notifications.listen(JOBS, () -> {});
        Listener next = notifications.listen(JOBS, () -> {});
        assertThat(next.waits()).isTrue();
        gone.end(false);
        first.add(note("one"));

        assertThat(payload(next)).isEqualTo("one");
    }

    @Test
    void sessionThatTheServerEnded_endsAfterTheSameTime() {
        Source first = opened();
        now.addAndGet(TimeUnit.SECONDS.toNanos(5));
        first.end(End.CUT, new byte[] {1});
        Listener debug = notifications.listen(JOBS, () -> {});

        assertThat(Objects.requireNonNull(debug.ending()).inNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(5));
        now.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertThat(Objects.requireNonNull(debug.ending()).inNanos()).isZero();
        assertThat(debug.ending().farewell()).containsExactly(1);
    }

    @Test
    void whatNobodyHears_isCounted() {
        Source dropped = opened();
        notifications.listen(JOBS, () -> {}).end(true);
        dropped.add(note("after UNLISTEN"));
        assertThat(unheard).hasValue(1);

        Source unread = opened();
        unread.add(note("unread"));
        unread.end(End.LEFT, null);
        notifications.listen(JOBS, () -> {}).end(false);
        assertThat(unheard).hasValue(2);

        Source old = opened();
        old.add(note("old"));
        old.end(End.LEFT, null);
        now.addAndGet(TimeUnit.MINUTES.toNanos(2));
        assertThat(notifications.listen(JOBS, () -> {}).waits()).isTrue();
        assertThat(unheard).hasValue(3);
    }

    @Test
    void manyShortSessions_makeRoomForNewOnes() {
        for (int i = 0; i < 3_000; i++) {
            Source source = opened();
            source.add(note("" + i));
            source.end(End.LEFT, null);
            now.incrementAndGet();
        }
        assertThat(payload(notifications.listen(JOBS, () -> {}))).isEqualTo("2000");
        assertThat(unheard).hasValue(2_000);
    }

    private Source opened() {
        return Objects.requireNonNull(notifications.opened(JOBS, unheard::addAndGet));
    }

    private static @Nullable String payload(Listener listener) {
        Note note = listener.take();
        return note == null ? null : note.payload();
    }

    private static Note note(String payload) {
        return new Note(1, false, "jobs", payload, 0, false);
    }
}
