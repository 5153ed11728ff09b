package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A real journal with a recording and a replay on it, without any socket; its clock stands at 0. */
public final class TestJournal<R extends RecordedReply> {
    public final Journal<R> journal = new Journal<>(
            new JournalBounds(1 << 26, Duration.ofHours(1), false), () -> 0, new InboundExchanges(() -> 0));
    public final RecordCounts recorded = new RecordCounts();
    public final ReplayCounts replayed = new ReplayCounts();
    public final Matches matches = new Matches(InstantSource.system(), matched -> {});
    public final Misses misses = new Misses(InstantSource.system());
    public final List<DebugLimit> reached = new ArrayList<>();
    private final OutgoingCalls outgoing =
            new OutgoingCalls(new InboundExchanges(() -> 0), () -> 0, (upstream, form) -> false);
    private static final CallPolicy NO_RULES = CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL));

    private final long largestMessage;

    public TestJournal(long largestMessage) {
        this.largestMessage = largestMessage;
    }

    /** A recording of one more connection. */
    public Recording<R> recording() {
        return new Recording<>("test", 1, journal, recorded, largestMessage, NO_RULES, outgoing);
    }

    /** A replay that doesn't wait. */
    public UpstreamReplay<R> replay() {
        return replay(Duration.ZERO);
    }

    /** A replay that waits so long for production. */
    public UpstreamReplay<R> replay(Duration patience) {
        return new UpstreamReplay<>(
                "test",
                journal,
                CallPolicy.of(new MissPolicy(patience, Miss.FAIL)),
                replayed,
                misses,
                matches,
                largestMessage);
    }

    /** A replay that waits so long for production, over a connection that may hold what this budget has. */
    public UpstreamReplay<R> replay(Duration patience, MemoryBudget budget) {
        return replay(patience).holding(new HeldMemory(budget, 0, reached::add));
    }

    /** The next reply of a form, which has to be there. */
    public R take(Form form) {
        List<R> taken = new ArrayList<>();
        journal.take(form, 0, ImmediateEventExecutor.INSTANCE, match -> {
            if (match instanceof Match.Hit<R> hit) {
                taken.add(hit.recorded().reply());
            }
        });
        if (taken.isEmpty()) {
            throw new AssertionError("nothing recorded for " + form);
        }
        return taken.get(0);
    }
}
