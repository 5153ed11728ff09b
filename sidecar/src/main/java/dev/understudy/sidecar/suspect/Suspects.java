package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.LabelRule.Why;
import dev.understudy.sidecar.label.RuleHits;
import dev.understudy.sidecar.label.Times;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Joins what the agent observed of exchanges with how they ended, and ranks what goes with failing.
 *
 * <p>Lane loops only put endings into a bounded queue. All else is guarded by this object and done by those who bring
 * observations or ask. Of failing exchanges a bounded sample is kept, of successful ones counts and a smaller sample;
 * what finds nobody to join is counted.
 */
public final class Suspects {
    static final int MOST_ENDINGS = 16_384;
    static final int MOST_WAITING = 4_096;
    static final int MOST_FAILURES = 2_048;
    /** Numbers that failing runs may hold together, and those that wait. */
    static final int ROOM = 1 << 21;

    /** After so many batches of each agent nothing more is told of an exchange that has ended. */
    static final int PATIENCE = 4;
    /** An agent of which nothing came among so many batches is gone. */
    static final int LATELY = 64;

    private static final int[] NOTHING = {};

    private final LabelRule rule;
    /** Where differing tells nothing. */
    private final LabelRule otherwise;

    private final Random random;
    private final ConcurrentLinkedQueue<ExchangeOutcome> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final LinkedHashMap<Object, ExchangeOutcome> endings = new LinkedHashMap<>();
    private final LinkedHashMap<Object, Waiting> waiting = new LinkedHashMap<>();
    /** Those that counted before they ended: what is observed of them to their end counts no more. */
    private final Set<Object> countedOpen = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Boolean> eldest) {
            return size() > MOST_WAITING;
        }
    });

    private final Methods methods = new Methods();
    private final Callers callers = new Callers();
    private final Histories histories = new Histories(methods);
    private final Tallies successes = new Tallies(methods);
    private final Sample someSuccesses;
    private final List<Run> failures = new ArrayList<>();
    private final Times times = new Times();
    private final RuleHits hits;
    private final Differing differing = new Differing();
    private final Map<Why, Integer> counts = new EnumMap<>(Why.class);
    private final Deque<Unobserved> unobserved = new ArrayDeque<>();
    /** At which batch each agent was heard of last. */
    private final Map<String, Integer> heard = new HashMap<>();

    private int batches;
    private int waitingRoom;
    private int failureRoom;
    private int failed;
    private int unlabelled;
    private int unnamed;
    private final Search search;

    /** @param random chooses which failing exchanges are kept when there are many */
    public Suspects(LabelRule rule, Random random) {
        this.rule = rule;
        this.hits = new RuleHits(rule.also());
        this.otherwise = rule.withoutDifferent();
        this.random = random;
        this.someSuccesses = new Sample(new Random(random.nextLong()));
        this.search = new Search(methods, rule.least());
    }

    /** An exchange has ended; for lane loops: never waits. */
    public void ended(ExchangeOutcome ending) {
        if (queued.get() < MOST_ENDINGS && ending.key() != null) {
            queued.incrementAndGet();
            queue.add(ending);
        }
    }

    /**
     * Takes what an agent observed.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    public Taken observed(byte[] json) {
        ObservedBatch batch = ObservedBatch.read(json);
        int strange = 0;
        synchronized (this) {
            takeEndings();
            int lookedInto = methods.classesLookedInto();
            Methods.Agent agent = methods.of(batch, failed);
            if (methods.classesLookedInto() > lookedInto) {
                successes.mark(failed);
            }
            int[] closed = agent.methods(batch.closed);
            for (ObservedBatch.Seen seen : batch.exchanges) {
                int[] held = agent.predicates(seen.held);
                if (held == null) {
                    strange++;
                } else {
                    join(new Waiting(seen, held, agent.pairs(seen.calls), closed));
                }
            }
            unnamed += strange;
            batches++;
            heard.put(batch.agent, batches);
            heard.values().removeIf(last -> last <= batches - LATELY);
            settle();
        }
        return new Taken(batch.exchanges.size(), strange);
    }

    /** What is known up to now. */
    public synchronized SuspectsReading standing() {
        takeEndings();
        int successful = successes.runs();
        Ranking ranking = ranking();
        return new SuspectsReading(
                failed,
                successful,
                counts.getOrDefault(Why.UNKNOWN, 0),
                unlabelled,
                waiting.size(),
                unnamed,
                Map.copyOf(counts),
                rule.least(),
                differing.tooOften(),
                hits.read(),
                ranking == null ? List.of() : ranking.suspects(),
                ranking == null ? failed : ranking.unexplained());
    }

    /** Where agents should look closer by what is known up to now; nowhere as long as that is too little. */
    public synchronized Focus focus() {
        takeEndings();
        Ranking ranking = ranking();
        if (ranking == null) {
            return new Focus(List.of(), List.of());
        }
        List<String> classes = search.next(telling(), failed, ranking.suspects(), ranking.telling());
        return new Focus(
                classes,
                ranking.suspects().stream()
                        .flatMap(suspect -> Stream.concat(
                                Stream.of(suspect.method()),
                                suspect.alike().stream().map(Suspect.Alike::method)))
                        .distinct()
                        .toList());
    }

    private @Nullable Ranking ranking() {
        boolean enough = failed - differing.failedForNothing() >= rule.least() && successes.runs() >= rule.least();
        List<Run> telling = telling();
        return enough && !telling.isEmpty()
                ? new Ranking(
                        telling,
                        (double) failed / failures.size(),
                        successes,
                        methods,
                        callers,
                        new Pairs(someSuccesses.runs(), successes.runs(), methods))
                : null;
    }

    private List<Run> telling() {
        return failures.stream()
                .filter(run -> run.why != Why.DIFFERENT || !differing.tellsNothing(run.ending))
                .toList();
    }

    private void takeEndings() {
        for (ExchangeOutcome ending = queue.poll(); ending != null; ending = queue.poll()) {
            queued.decrementAndGet();
            times.add(ending);
            hits.add(ending);
            if (rule.different()) {
                differing.add(ending);
            }
            Object key = Objects.requireNonNull(ending.key());
            Waiting observed = waiting.remove(key);
            waitingRoom -= observed == null ? 0 : observed.size();
            if (observed == null || observed.isOutdatedBy(ending)) {
                endings.put(key, ending);
                if (endings.size() > MOST_ENDINGS) {
                    endings.remove(endings.keySet().iterator().next());
                }
                expect(ending);
            } else {
                count(observed, ending);
            }
        }
    }

    /**
     * One that failed is blamed on what was observed of its connection before, even if nobody tells what was done in
     * it.
     */
    private void expect(ExchangeOutcome ending) {
        if (ending.span().isEmpty() && isFailing(judge(ending, false, false))) {
            unobserved.add(new Unobserved(ending, batches + PATIENCE * Math.max(1, heard.size())));
            if (unobserved.size() > MOST_WAITING) {
                unobserved.remove();
            }
        }
    }

    private void settle() {
        while (!unobserved.isEmpty() && unobserved.getFirst().until <= batches) {
            ExchangeOutcome ending = unobserved.remove().ending;
            if (ending.equals(endings.get(Objects.requireNonNull(ending.key())))
                    && isFailing(judge(ending, false, false)) // by what is known now
                    && !histories.before(ending).isEmpty()) {
                endings.remove(ending.key());
                ObservedBatch.Seen nothing =
                        new ObservedBatch.Seen(ending.key(), false, false, false, false, NOTHING, NOTHING);
                count(new Waiting(nothing, NOTHING, NOTHING, NOTHING), ending);
            }
        }
    }

    private void join(Waiting observed) {
        ExchangeOutcome ending = endings.get(observed.seen.key);
        if (ending != null && !observed.isOutdatedBy(ending)) {
            endings.remove(observed.seen.key);
            count(observed, ending);
        }
        if (ending != null || (!observed.seen.open && countedOpen.remove(observed.seen.key))) {
            return;
        }
        Waiting before = waiting.put(observed.seen.key, observed);
        waitingRoom += observed.size() - (before == null ? 0 : before.size());
        while (waiting.size() > MOST_WAITING || (waitingRoom > ROOM && waiting.size() > 1)) {
            Waiting eldest = waiting.remove(waiting.keySet().iterator().next());
            waitingRoom -= eldest == null ? 0 : eldest.size();
            unlabelled++;
        }
    }

    private void count(Waiting observed, ExchangeOutcome ending) {
        Why why = judge(ending, observed.seen.escaped, observed.seen.logged);
        counts.merge(why, 1, Integer::sum);
        if (why == Why.DIFFERENT) {
            differing.failed(ending);
        }
        if (observed.seen.open) {
            countedOpen.add(observed.seen.key);
        }
        callers.add(observed.calls);
        Run alone = new Run(observed.held, observed.calls, observed.seen.whole, observed.closed, ending, failed, why);
        Run run = ending.span().isEmpty() ? joined(alone) : alone;
        if (why == Why.NONE) {
            successes.add(run);
            someSuccesses.add(run);
        } else if (isFailing(why)) {
            failed++;
            keep(run);
        }
    }

    private Why judge(ExchangeOutcome ending, boolean escaped, boolean logged) {
        LabelRule ruling = differing.tellsNothing(ending) ? otherwise : rule;
        return ruling.judge(ending, escaped, logged, times);
    }

    private static boolean isFailing(Why why) {
        return why != Why.NONE && why != Why.UNKNOWN;
    }

    /**
     * With those before it on its connection. If it fails, they are what led to that, and no longer tell what goes
     * well.
     */
    private Run joined(Run alone) {
        if (isFailing(alone.why)) {
            histories.before(alone.ending).forEach(before -> {
                successes.remove(before);
                someSuccesses.remove(before);
            });
        }
        return histories.with(alone, alone.why != Why.NONE);
    }

    /** Each failing run is kept with the same probability, as long as they are of like sizes. */
    private void keep(Run run) {
        boolean room = failures.size() < MOST_FAILURES && failureRoom + run.size() <= ROOM;
        if (room || failures.isEmpty()) {
            failures.add(run);
            failureRoom += run.size();
            return;
        }
        int place = random.nextInt(failed);
        if (place < failures.size()) {
            Run before = failures.get(place);
            int roomThen = failureRoom - before.size() + run.size();
            if (roomThen <= ROOM) {
                failures.set(place, run);
                failureRoom = roomThen;
            }
        }
    }

    /**
     * What came of a batch.
     *
     * @param exchanges how many it was about
     * @param unnamed of these, those that name a method nobody knows
     */
    public record Taken(int exchanges, int unnamed) {}

    /** A failing exchange of which nothing was observed up to now, and when that is given up. */
    private record Unobserved(ExchangeOutcome ending, int until) {}

    /** An observed exchange whose end isn't known yet. */
    private static final class Waiting {
        private final ObservedBatch.Seen seen;
        private final int[] held;
        private final int[] calls;
        private final int[] closed;

        /** An exchange and, in our numbers, what held in it, who called whom, and what wasn't seen. */
        Waiting(ObservedBatch.Seen seen, int[] held, int[] calls, int[] closed) {
            this.seen = seen;
            this.held = held;
            this.calls = calls;
            this.closed = closed;
        }

        int size() {
            return held.length + calls.length;
        }

        /** Whether it was observed before it ended, and the rest is to come. */
        boolean isOutdatedBy(ExchangeOutcome ending) {
            return seen.open && ending.debugMillis() != null;
        }
    }
}
