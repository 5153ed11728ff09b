package dev.understudy.agent.caller;

import dev.understudy.agent.bootstrap.CallNote;
import dev.understudy.agent.bootstrap.CallNotes;
import dev.understudy.agent.bootstrap.CallTraffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallBacklogTest {
    private static final int PORT = 5433;

    private CallBacklog backlog;

    @BeforeEach
    void begin() {
        CallTraffic.reset();
        CallNotes.keep(Set.of(PORT));
        backlog = new CallBacklog();
    }

    @AfterEach
    void end() {
        CallTraffic.reset();
    }

    @Test
    void theFirstBatch_saysThatNothingWasNotedBefore() {
        CallBatch first = backlog.next();
        assertThat(first.calls).isEmpty();
        assertThat(Objects.requireNonNull(first.lostUntil)).isBetween(first.toldUntil - 1_000_000_000, first.toldUntil);

        backlog.sent();
        assertThat(backlog.next().lostUntil).isNull();
    }

    @Test
    void manyNotes_goInBatches_eachUntilTheNextNotesTime() {
        int all = 2 * CallBacklog.MOST_AT_ONCE + 1;
        for (int i = 0; i < all; i++) {
            CallTraffic.write(i, PORT);
        }
        List<Integer> sent = new ArrayList<>();
        long until = Long.MIN_VALUE;
        for (int size : new int[] {CallBacklog.MOST_AT_ONCE, CallBacklog.MOST_AT_ONCE, 1}) {
            CallBatch batch = backlog.next();
            assertThat(batch.calls).hasSize(size);
            assertThat(batch.calls.get(0).nanos()).isGreaterThanOrEqualTo(until);
            until = batch.toldUntil;
            assertThat(batch.calls.get(size - 1).nanos()).isLessThanOrEqualTo(until);
            batch.calls.forEach(call -> sent.add(call.localPort()));
            CallTraffic.write(all, PORT); // comes after all of these
        }
        assertThat(sent).hasSize(all).isSorted();
        assertThat(backlog.isEmpty()).isTrue();
        assertThat(backlog.next().calls).extracting(CallNote::localPort).containsExactly(all, all, all);
    }

    @Test
    void whatFoundNoRoom_isMissingUntilItsTime() {
        backlog.next();
        backlog.sent();
        for (int i = 0; i < CallNotes.CAPACITY; i++) {
            CallTraffic.write(i, PORT);
        }
        long full = System.nanoTime();
        CallTraffic.write(1, PORT);
        long dropped = System.nanoTime();
        CallBatch batch = backlog.next();

        assertThat(batch.calls).hasSize(CallBacklog.MOST_AT_ONCE);
        assertThat(Objects.requireNonNull(batch.lostUntil)).isBetween(full + 1, dropped + 1);
    }

    @Test
    void aBatchThatIsLost_isMissingUntilTheNextIsSent() {
        backlog.next();
        backlog.sent();
        CallTraffic.write(1, PORT);
        CallBatch lost = backlog.next();
        backlog.lost(lost);
        CallBatch pulse = backlog.next();
        backlog.lost(pulse);

        assertThat(pulse.lostUntil).isEqualTo(lost.toldUntil);
        assertThat(backlog.next().lostUntil).as("a pulse loses nothing").isEqualTo(lost.toldUntil);
        assertThat(lost.calls.get(0).nanos()).isLessThanOrEqualTo(lost.toldUntil);
    }

    @Test
    void aNoteThatFails_isMissingUntilNow() {
        backlog.next();
        backlog.sent();
        CallTraffic.miss();
        long before = System.nanoTime();

        assertThat(Objects.requireNonNull(backlog.next().lostUntil)).isGreaterThanOrEqualTo(before);
    }
}
