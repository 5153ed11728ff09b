package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.live.LiveReads;
import dev.understudy.aggregator.policy.CallPolicy;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.Consumer;

/**
 * Answers the requests to one upstream that nothing recorded fits: by a stub, by the real server, or by an error, as
 * the policy has it. Safe for all threads.
 */
final class MissAnswers<R extends RecordedReply> {
    private static final PendingRequest DONE = () -> {};

    private final String upstream;
    private final CallPolicy policy;
    private final ReplayCounts counts;
    private final Misses misses;
    private final Matches matches;
    private final LiveReads live;

    MissAnswers(
            String upstream, CallPolicy policy, ReplayCounts counts, Misses misses, Matches matches, LiveReads live) {
        this.upstream = upstream;
        this.policy = policy;
        this.counts = counts;
        this.misses = misses;
        this.matches = matches;
        this.live = live;
    }

    /**
     * Answers one, on its connection's event loop.
     *
     * @param faults the rules by which it was given faults on purpose
     * @param then is told of the real server's reply, or that there is none; not if a stub answered
     */
    PendingRequest answer(
            Form asked,
            Match.Miss<R> miss,
            Fallback<R> otherwise,
            EventExecutor caller,
            List<String> faults,
            Consumer<Match<R>> then) {
        switch (policy.of(asked).miss()) {
            case STUB -> {
                String stub = otherwise.stub();
                if (stub != null) {
                    counts.stubbed(miss.waitedNanos());
                    matches.stubbed(upstream, asked, miss, stub, faults);
                    return DONE;
                }
            }
            case LIVE -> {
                LiveRead<R> read = otherwise.read();
                if (read != null && caller instanceof EventLoop loop) {
                    return ask(asked, miss, read, otherwise, loop, faults, then);
                }
                counts.liveRefused();
                live.refused(asked.text());
                fail(miss, "it isn't known to only read, and wasn't let through", faults, then);
                return DONE;
            }
            case FAIL, REPEAT_LAST -> {
                // an error
            }
        }
        missed(miss, faults);
        then.accept(miss);
        return DONE;
    }

    private PendingRequest ask(
            Form asked,
            Match.Miss<R> miss,
            LiveRead<R> read,
            Fallback<R> otherwise,
            EventLoop loop,
            List<String> faults,
            Consumer<Match<R>> then) {
        long began = System.nanoTime();
        return live.ask(loop, otherwise.memory(), asked.text(), read, problem -> {
            if (problem != null) {
                counts.liveFailed();
                fail(miss, "the live upstream didn't answer: " + problem, faults, then);
                return;
            }
            counts.live(miss.waitedNanos());
            matches.live(upstream, asked, miss, faults);
            Recorded<R> reply = new Recorded<>(0, asked, 0, began, System.nanoTime(), read.reply());
            then.accept(new Match.Hit<>(reply, miss.waitedNanos(), true, null));
        });
    }

    private void fail(Match.Miss<R> miss, String why, List<String> faults, Consumer<Match<R>> then) {
        Match.Miss<R> named = new Match.Miss<>(miss.form(), miss.why() + "; " + why, miss.near(), miss.waitedNanos());
        missed(named, faults);
        then.accept(named);
    }

    /** One that gets an error. */
    void missed(Match.Miss<R> miss, List<String> faults) {
        counts.missed(miss.waitedNanos());
        note(miss);
        matches.miss(upstream, miss.form(), miss, faults);
    }

    /** Lists one that is counted elsewhere. */
    void note(Match.Miss<R> miss) {
        misses.add(upstream, miss);
    }
}
