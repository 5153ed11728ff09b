package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.live.AskedServers;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.live.LiveReads;
import dev.understudy.aggregator.policy.CallPolicy;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests to one upstream that nothing recorded fits: by a stub, by the real server, by a stand-in, or by
 * an error, as the policy has it. Safe for all threads.
 */
final class MissAnswers<R extends RecordedReply> {
    private static final PendingRequest DONE = () -> {};

    private final String upstream;
    private final CallPolicy policy;
    private final ReplayCounts counts;
    private final Misses misses;
    private final Matches matches;
    private final Asked real;
    private final Asked standin;

    MissAnswers(
            String upstream,
            CallPolicy policy,
            ReplayCounts counts,
            Misses misses,
            Matches matches,
            AskedServers servers) {
        this.upstream = upstream;
        this.policy = policy;
        this.counts = counts;
        this.misses = misses;
        this.matches = matches;
        this.real = new Asked(
                servers.real(),
                counts.live(),
                Matches.Outcome.LIVE,
                "live upstream",
                "it isn't known to only read, and wasn't let through");
        this.standin = new Asked(
                servers.standin(),
                counts.standin(),
                Matches.Outcome.STANDIN,
                "stand-in",
                "the stand-in wasn't asked, as the body is longer than what is kept of it");
    }

    /**
     * Answers one, on its connection's event loop.
     *
     * @param faults the rules by which it was given faults on purpose
     * @param then is told of a running server's reply, or that there is none; not if a stub answered
     */
    PendingRequest answer(
            Form asked,
            Match.Miss<R> miss,
            Fallback<R> otherwise,
            EventExecutor caller,
            List<String> faults,
            Consumer<Match<R>> then) {
        Missing<R> missing = new Missing<>(asked, miss, faults, then);
        return switch (policy.of(asked).miss()) {
            case STUB -> stub(missing, otherwise);
            case LIVE -> askOrRefuse(real, missing, otherwise.read(), otherwise, caller);
            case STANDIN -> askOrRefuse(standin, missing, otherwise.call(), otherwise, caller);
            case FAIL, REPEAT_LAST -> fail(missing);
        };
    }

    private PendingRequest stub(Missing<R> missing, Fallback<R> otherwise) {
        String stub = otherwise.stub();
        if (stub == null) {
            return fail(missing);
        }
        counts.stubbed(missing.miss.waitedNanos());
        matches.stubbed(upstream, missing.asked, missing.miss, stub, missing.faults);
        return DONE;
    }

    private PendingRequest askOrRefuse(
            Asked how, Missing<R> missing, @Nullable LiveRead<R> call, Fallback<R> otherwise, EventExecutor caller) {
        if (call != null && caller instanceof EventLoop loop) {
            return ask(how, missing, call, otherwise, loop);
        }
        how.counts.refuse();
        how.server.refused(missing.asked.text());
        return fail(missing.since(how.refusal));
    }

    private PendingRequest ask(Asked how, Missing<R> missing, LiveRead<R> read, Fallback<R> otherwise, EventLoop loop) {
        long began = System.nanoTime();
        return how.server.ask(loop, otherwise.memory(), missing.asked.text(), read, problem -> {
            if (problem == null) {
                answered(how, missing, read.reply(), began);
            } else {
                how.counts.fail();
                fail(missing.since("the " + how.name + " didn't answer: " + problem));
            }
        });
    }

    private void answered(Asked how, Missing<R> missing, R reply, long began) {
        long waited = missing.miss.waitedNanos();
        counts.answered(how.counts, waited);
        matches.asked(how.outcome, upstream, missing.asked, missing.miss, missing.faults);
        if (how.outcome == Matches.Outcome.STANDIN) {
            misses.standin(upstream, missing.miss);
        }
        Recorded<R> given = new Recorded<>(0, missing.asked, 0, began, System.nanoTime(), reply);
        missing.then.accept(new Match.Hit<>(given, waited, true, null));
    }

    private PendingRequest fail(Missing<R> missing) {
        missed(missing.miss, missing.faults);
        missing.then.accept(missing.miss);
        return DONE;
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

    /** A request without a recorded reply. */
    private record Missing<R extends RecordedReply>(
            Form asked, Match.Miss<R> miss, List<String> faults, Consumer<Match<R>> then) {

        /** The same with one reason more. */
        Missing<R> since(String why) {
            Match.Miss<R> named =
                    new Match.Miss<>(miss.form(), miss.why() + "; " + why, miss.near(), miss.waitedNanos());
            return new Missing<>(asked, named, faults, then);
        }
    }

    /** A running server, and how it is told of. */
    private record Asked(LiveReads server, AskedCounts counts, Matches.Outcome outcome, String name, String refusal) {}
}
