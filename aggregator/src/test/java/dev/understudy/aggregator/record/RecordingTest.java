package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.outgoing.Compared;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.outgoing.Uncompared;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a recording tells the comparison of outgoing calls. */
class RecordingTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = SECOND;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private final OutgoingCalls outgoing = new OutgoingCalls(inbound, () -> now, (upstream, form) -> false);
    private final Recording<RecordedReply> recording = new Recording<>(
            "test",
            1,
            new Journal<>(new JournalBounds(1 << 20, Duration.ofHours(1), false), () -> now, inbound),
            new RecordCounts(),
            1 << 20,
            CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL)),
            outgoing);

    @Test
    void callThatIsntRecorded_isALoss() {
        recording.dropped(Unrecorded.INCOMPLETE, 1);

        assertThat(reason()).isEqualTo(Uncompared.NOT_RECORDED);
    }

    @Test
    void noCallAtAll_isNone() {
        recording.dropped(Unrecorded.INCOMPLETE, 0);
        recording.dropped(Unrecorded.UNHEARD, 3);

        assertThat(reason()).isNull();
    }

    @Test
    void connectionThatIsntRecorded_isALossUntilItIsClosed() {
        recording.unframed(Unrecorded.NOT_THE_PROTOCOL, "");
        assertThat(reason()).isEqualTo(Uncompared.NOT_RECORDED);

        now += 10 * SECOND;
        assertThat(reason()).isEqualTo(Uncompared.NOT_RECORDED);
        recording.closed();
        now += 10 * SECOND;
        assertThat(reason()).isNull();
    }

    /** Why an exchange of this moment isn't compared; null if it is. */
    private @Nullable Uncompared reason() {
        News.Told exchange = new News.Told(now, now - 10, now, now, now, null, null, null);
        List<Compared> compared = new ArrayList<>(tell(exchange));
        now += SECOND;
        compared.addAll(tell());
        assertThat(compared).hasSize(1);
        return compared.get(0).reason();
    }

    private List<Compared> tell(News.Told... exchanges) {
        News news = new News("run", true, now, 0, now, now, List.of(exchanges), List.of(), List.of());
        inbound.told(news);
        return outgoing.told(news);
    }
}
