package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.Redaction;
import dev.understudy.aggregator.fault.FaultHandler;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.limit.PendingOutput;
import dev.understudy.aggregator.live.AskedServers;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the replay handlers of one upstream may ask for: recorded replies and shared facts. Safe for all threads, except
 * that one made by {@link #over} is confined to its connection's event loop.
 *
 * <p>Every request of the debug JVM ends in exactly one of {@link #take}, an {@link MultiFormLookup}, {@link #local},
 * {@link #shared}, {@link #refused} or {@link #notLearned}, and is counted there; unless {@link #admit} gives it a
 * fault for its end, and counts that.
 */
public final class UpstreamReplay<R extends RecordedReply> {
    /**
     * Bytes that a stream takes, of a connection that carries many, whatever is said on it; as much again for its
     * output.
     */
    private static final long STREAM = 2 << 10;

    private final String upstream;
    private final Journal<R> journal;
    private final CallPolicy policy;
    private final ReplayCounts counts;
    private final Matches matches;
    private final MissAnswers<R> missing;
    private final long largestMessage;
    private final Redaction redaction;
    private final AtomicLong connections;
    private final Guesses guesses;
    private final HeldMemory memory;
    private final @Nullable Line line;

    /** Makes the replay of the upstream of this name, of which all is shown that its protocol shows. */
    public UpstreamReplay(
            String upstream,
            Journal<R> journal,
            CallPolicy policy,
            ReplayCounts counts,
            Misses misses,
            Matches matches,
            long largestMessage) {
        this(upstream, journal, policy, counts, misses, matches, largestMessage, Redaction.NONE, AskedServers.NONE);
    }

    /**
     * Makes the replay of the upstream of this name.
     *
     * @param servers who is asked where the policy says so
     */
    public UpstreamReplay(
            String upstream,
            Journal<R> journal,
            CallPolicy policy,
            ReplayCounts counts,
            Misses misses,
            Matches matches,
            long largestMessage,
            Redaction redaction,
            AskedServers servers) {
        this.redaction = redaction;
        this.upstream = upstream;
        this.journal = journal;
        this.policy = policy;
        this.counts = counts;
        this.matches = matches;
        this.missing = new MissAnswers<>(upstream, policy, counts, misses, matches, servers);
        this.largestMessage = largestMessage;
        this.connections = new AtomicLong();
        this.guesses = new Guesses(upstream, System::nanoTime);
        this.memory = HeldMemory.unlimited();
        this.line = null;
    }

    private UpstreamReplay(UpstreamReplay<R> all, HeldMemory memory, @Nullable Line line) {
        this.upstream = all.upstream;
        this.journal = all.journal;
        this.policy = all.policy;
        this.counts = all.counts;
        this.matches = all.matches;
        this.missing = all.missing;
        this.largestMessage = all.largestMessage;
        this.redaction = all.redaction;
        this.connections = all.connections;
        this.guesses = all.guesses;
        this.memory = memory;
        this.line = line;
    }

    /**
     * The same for one connection, whose requests may be given faults.
     *
     * @param caller knows for which exchange it asks; null if it carries requests of several
     */
    UpstreamReplay<R> over(FaultHandler handler, Faults faults, CallerLookup.@Nullable Connection caller) {
        return new UpstreamReplay<>(this, memory, new Line(handler, faults, caller));
    }

    /** The same for one connection whose handlers hold their memory here. */
    public UpstreamReplay<R> holding(HeldMemory its) {
        return new UpstreamReplay<>(this, its, line);
    }

    /** The memory that the handlers of this connection, or stream, hold. */
    public HeldMemory memory() {
        return memory;
    }

    /** The same for one stream of a connection that carries many, whose requests are given faults of their own. */
    public UpstreamReplay<R> on(ChannelPipeline stream) {
        UpstreamReplay<R> its = holding(memory.of(stream.channel(), STREAM));
        Line over = line;
        if (over == null) {
            return its;
        }
        FaultHandler handler = new FaultHandler();
        stream.addLast(handler, new PendingOutput(memory.of(stream.channel(), STREAM)));
        return its.over(handler, over.faults, null);
    }

    /** The upstream's configured name. */
    public String upstream() {
        return upstream;
    }

    /** A number for one more debug connection, from 1: what servers call connection, process or client id. */
    public long nextConnection() {
        return connections.incrementAndGet();
    }

    /** Bytes that one request may have; the production side records no larger ones either. */
    public long largestMessage() {
        return largestMessage;
    }

    /**
     * Lets a request in, which is the first thing to do with it: now, later, or never if it is given a fault for its
     * end.
     *
     * @param form what it is; asked for only if there is a fault that might concern it
     * @param then goes on with the request, or answers it with the {@link Injection#error} if there is one; on the
     *     connection's event loop, before this returns if nothing holds the request back
     */
    public PendingRequest admit(Supplier<Form> form, Consumer<Injection> then) {
        Line over = line;
        if (over == null || !over.faults.concern(upstream)) {
            if (over != null) {
                over.current = Injection.NONE;
                over.handler.apply(Injection.NONE, then);
            } else {
                then.accept(Injection.NONE);
            }
            return () -> {};
        }
        Form asked = redaction.of(form.get());
        Injection injection = over.faults.decide(upstream, asked.text());
        over.current = injection;
        counts.faulted(injection);
        if (injection.end() != null) {
            counts.requests.increment();
            matches.faulted(upstream, asked, injection);
        }
        return over.handler.apply(injection, then)::run;
    }

    /**
     * Asks for the reply to a request, waiting for production as long as configured.
     *
     * @param caller the connection's event loop, on which this is called and {@code then} is told exactly once; at
     *     once, before this returns, if the answer is there
     */
    public PendingRequest take(Form form, EventExecutor caller, Consumer<Match<R>> then) {
        return take(form, Duration.ZERO, caller, Fallback.none(), then);
    }

    /**
     * Asks as the first one does.
     *
     * @param longer how much longer than configured the request may wait, as the server itself may have let it wait
     * @param otherwise what may answer where nothing recorded fits; after a stub did, {@code then} isn't told
     */
    public PendingRequest take(
            Form form, Duration longer, EventExecutor caller, Fallback<R> otherwise, Consumer<Match<R>> then) {
        return take(form, null, longer, caller, otherwise, then);
    }

    /**
     * Asks as the first one does.
     *
     * @param group production's transaction from which the request's own one has had replies; null if there is none
     */
    public PendingRequest take(Form form, @Nullable ReplyGroup group, EventExecutor caller, Consumer<Match<R>> then) {
        return take(form, group, Duration.ZERO, caller, Fallback.none(), then);
    }

    private PendingRequest take(
            Form whole,
            @Nullable ReplyGroup group,
            Duration longer,
            EventExecutor caller,
            Fallback<R> otherwise,
            Consumer<Match<R>> then) {
        counts.requests.increment();
        Form shown = redaction.of(whole);
        CallerLookup.Connection connection = line == null || shown.trace() != null ? null : line.caller;
        if (connection == null) {
            return answer(shown, group, longer, caller, otherwise, then);
        }
        TwoSteps steps = new TwoSteps();
        steps.first(connection.whose(
                caller,
                () -> journal.wantsMaker(shown),
                trace -> steps.second(answer(shown.in(trace), group, longer, caller, otherwise, then))));
        return steps;
    }

    private PendingRequest answer(
            Form form,
            @Nullable ReplyGroup group,
            Duration longer,
            EventExecutor caller,
            Fallback<R> otherwise,
            Consumer<Match<R>> then) {
        TwoSteps steps = new TwoSteps();
        steps.first(ask(form, group, longer, caller, match -> {
            Match<R> settled = settled(form, match);
            if (settled instanceof Match.Miss<R> miss) {
                steps.second(missing.answer(form, miss, otherwise, caller, faults(), then));
            } else {
                then.accept(settled);
            }
        }));
        return steps;
    }

    private PendingRequest ask(
            Form form, @Nullable ReplyGroup group, Duration longer, EventExecutor caller, Consumer<Match<R>> then) {
        long patience = policy.of(form).patience().plus(longer).toNanos();
        Form kind = policy.background(form);
        if (kind == null) {
            return journal.take(form, group, patience, caller, then);
        }
        long asked = System.nanoTime();
        return journal.background().take(kind, patience, caller, last -> {
            long waited = System.nanoTime() - asked;
            String why = "it is a call of the background, and production hasn't made one like it";
            then.accept(
                    last == null
                            ? new Match.Miss<>(form, why, List.of(), waited)
                            : new Match.Hit<>(last, waited, true, null));
        });
    }

    /** One request is asked for, however many forms it may have. */
    void asked() {
        counts.requests.increment();
    }

    /** Looks for a reply to one of them, waiting for production as long as configured, and counts nothing. */
    PendingRequest look(Form form, EventExecutor caller, Consumer<Match<R>> then) {
        return ask(redaction.of(form), null, Duration.ZERO, caller, then);
    }

    /** What the request gets in the end, which is counted. */
    Match<R> concluded(Form form, Match<R> match) {
        Match<R> settled = settled(redaction.of(form), match);
        if (settled instanceof Match.Miss<R> miss) {
            missing.missed(miss, faults());
        }
        return settled;
    }

    /** A request that is answered here, because it has no meaning beyond its own connection (PING, AUTH, SET …). */
    public void local() {
        counts.requests.increment();
        counts.local.increment();
    }

    /** A request that got what production's side had got for it, beyond exchanges, after this wait. */
    public void shared(long waitedNanos) {
        counts.requests.increment();
        counts.replayed(waitedNanos, null);
    }

    /** That answer was a guess, since the debug side had asked for something else. */
    public void guessed() {
        counts.guess();
    }

    /** The recorded reply to that can't be given to this client, which gets an error instead: told as misses are. */
    public void unfit(Form form, String why) {
        counts.notGiven();
        Form shown = redaction.of(form);
        missing.note(new Match.Miss<>(shown, "the recorded reply can't be given: " + why, List.of(), 0));
    }

    /** So many messages that production was told unasked were passed on. */
    public void pushed(int messages) {
        counts.pushed.add(messages);
    }

    /** A request that is never replayed, and so is a miss at once. */
    public void refused(Form form, String why) {
        notLearned(form, why, 0);
    }

    /** A request for something that belongs to no exchange, and that production had not told within this wait. */
    public Match.Miss<R> notLearned(Form form, String why, long waitedNanos) {
        counts.requests.increment();
        Match.Miss<R> miss = new Match.Miss<>(redaction.of(form), why, List.of(), waitedNanos);
        missing.missed(miss, faults());
        return miss;
    }

    /** Whether a stand-in may be asked, and so needs requests with their bodies. */
    public boolean asksStandin() {
        return policy.asksStandin();
    }

    /** How long a request usually waits for production. */
    public Duration patience() {
        return policy.usual().patience();
    }

    /** The fact that production's side published last under this key; null if there is none of this type. */
    public <T> @Nullable T known(String key, Class<T> type) {
        return journal.common().known(key, type);
    }

    private Match<R> settled(Form asked, Match<R> match) {
        if (match instanceof Match.Hit<R> hit && hit.repeated()) {
            if (policy.background(asked) == null) {
                return repeated(asked, hit);
            }
            counts.background(hit.waitedNanos());
            matches.background(upstream, asked, hit.recorded(), hit.waitedNanos(), faults());
            return hit;
        }
        if (match instanceof Match.Hit<R> hit) {
            counts.replayed(hit.waitedNanos(), hit.reason());
            guesses.say(hit);
            matches.hit(upstream, asked, hit, faults());
            return hit;
        }
        Match.Miss<R> miss = (Match.Miss<R>) match;
        boolean repeats =
                policy.of(asked).miss() == Miss.REPEAT_LAST && miss.form().repeatable();
        Recorded<R> last = repeats ? journal.lastOf(miss.form()) : null;
        if (last != null) {
            return repeated(asked, new Match.Hit<>(last, miss.waitedNanos(), true, null));
        }
        return miss;
    }

    private Match<R> repeated(Form asked, Match.Hit<R> hit) {
        counts.repeated(hit.waitedNanos());
        matches.hit(upstream, asked, hit, faults());
        return hit;
    }

    private List<String> faults() {
        return line == null ? List.of() : line.current.names();
    }

    /** One connection, and what was decided for the request that it is at. */
    private static final class Line {
        private final FaultHandler handler;
        private final Faults faults;
        private final CallerLookup.@Nullable Connection caller;
        private Injection current = Injection.NONE;

        Line(FaultHandler handler, Faults faults, CallerLookup.@Nullable Connection caller) {
            this.caller = caller;
            this.handler = handler;
            this.faults = faults;
        }
    }
}
