package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of a recorder that can't go on. */
class RecordingObserverTest {
    private final InboundExchanges inbound = new InboundExchanges(() -> 0L);
    private final RecordCounts counts = new RecordCounts();
    private final MemoryBudget memory = new MemoryBudget(1 << 20, null);
    private final List<String> heard = new ArrayList<>();
    private final Recording<RecordedReply> recording = new Recording<>(
            "test",
            1,
            new Journal<>(new JournalBounds(1 << 20, Duration.ofHours(1), false), () -> 0L, inbound),
            counts,
            1 << 20,
            CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL)),
            new OutgoingCalls(inbound, () -> 0L, (upstream, form) -> false));

    @Test
    void recorderThatGivesUp_isLetGoAtOnce() {
        RecordingObserver<RecordedReply> observer =
                observer(() -> recording.unframed(Unrecorded.NOT_THE_PROTOCOL, "test"));
        say(observer, Direction.REPLY);
        assertThat(memory.used()).isEqualTo(1_000);
        say(observer, Direction.REQUEST);
        assertThat(memory.used()).isZero();
        say(observer, Direction.REPLY);
        observer.closed(CloseReason.FINISHED, 0);

        assertThat(heard).containsExactly("reply", "request", "closed");
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void recorderThatGoesTooDeep_endsTheRecordingOnly() {
        RecordingObserver<RecordedReply> observer = observer(this::deeper);
        say(observer, Direction.REQUEST);
        say(observer, Direction.REPLY);

        assertThat(heard).containsExactly("request", "closed");
        assertThat(counts.unrecorded(Unrecorded.INTERNAL)).isEqualTo(1);
        assertThat(memory.used()).isZero();
    }

    @SuppressWarnings("InfiniteRecursion") // that is what is tested
    private void deeper() {
        deeper();
    }

    private static void say(RecordingObserver<RecordedReply> observer, Direction direction) {
        observer.data(direction, Unpooled.wrappedBuffer(new byte[1]), 0);
    }

    private RecordingObserver<RecordedReply> observer(Runnable onRequest) {
        ConnectionRecorder recorder = new ConnectionRecorder() {
            @Override
            public void request(ByteBuffer data, long nanos) {
                heard.add("request");
                onRequest.run();
            }

            @Override
            public void reply(ByteBuffer data, long nanos) {
                heard.add("reply");
            }

            @Override
            public long heldBytes() {
                return 1_000;
            }

            @Override
            public void closed(long nanos) {
                heard.add("closed");
            }
        };
        return new RecordingObserver<>(of -> recorder, recording, counts, memory);
    }
}
