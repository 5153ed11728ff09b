package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Times;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

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
    /** Numbers that failing runs may hold together, and those that wait. */
    static final int ROOM = 1 << 21;

    /** After so many batches of each agent nothing more is told of an exchange that has ended. */
    static final int PATIENCE = 4;
    /** An agent of which nothing came among so many batches is gone. */
    static final int LATELY = 64;

    private static final int[] NOTHING = {};

    private final Labels labels;
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
    private final Times times = new Times();
    private final Deque<Unobserved> unobserved = new ArrayDeque<>();
    /** At which batch each agent was heard of last. */
    private final Map<String, Integer> heard = new HashMap<>();

    private LabelledRuns runs;
    private int batches;
    private int waitingRoom;
    private int unlabelled;
    private int unnamed;

    /**
     * Nobody is suspected yet.
     *
     * @param random chooses which failing exchanges are kept when there are many
     */
    public Suspects(Labels labels, Random random) {
        this.labels = labels;
        this.random = random;
        this.runs = new LabelledRuns(labels.now(), methods, callers, times, random);
    }

    /** By which rules exchanges fail. */
    public Labels labels() {
        return labels;
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
            Methods.Agent agent = methods.of(batch, runs.failed());
            if (methods.classesLookedInto() > lookedInto) {
                runs.mark();
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

    /** What is known up to now, since the rule holds by which exchanges fail. */
    public synchronized SuspectsReading standing() {
        takeEndings();
        return runs.read(unlabelled, waiting.size(), unnamed);
    }

    /** Where agents should look closer by what is known up to now; nowhere as long as that is too little. */
    public synchronized Focus focus() {
        takeEndings();
        return runs.focus();
    }

    /** So many classes that take part in failing exchanges, those near to suspects first. */
    public synchronized List<String> classes(int most) {
        takeEndings();
        return runs.classes(most);
    }

    private void takeEndings() {
        followLabels();
        for (ExchangeOutcome ending = queue.poll(); ending != null; ending = queue.poll()) {
            queued.decrementAndGet();
            times.add(ending);
            followLabels();
            if (ending.labels() == runs.labels.number()) {
                ended(ending, Objects.requireNonNull(ending.key()));
            }
        }
    }

    /** Where exchanges fail by another rule now, what is known of earlier ones is no evidence. */
    private void followLabels() {
        Labels.Edition now = labels.now();
        if (now.number() == runs.labels.number()) {
            return;
        }
        methods.restart();
        runs = new LabelledRuns(now, methods, callers, times, random);
        endings.clear();
        waiting.clear();
        waitingRoom = 0;
        countedOpen.clear();
        unobserved.clear();
        unlabelled = 0;
        unnamed = 0;
    }

    private void ended(ExchangeOutcome ending, Object key) {
        runs.ended(ending);
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

    /**
     * One that failed is blamed on what was observed of its connection before, even if nobody tells what was done in
     * it.
     */
    private void expect(ExchangeOutcome ending) {
        if (ending.span().isEmpty() && runs.fails(ending)) {
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
                    && runs.fails(ending) // by what is known now
                    && runs.hasHistory(ending)) {
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
        if (observed.seen.open) {
            countedOpen.add(observed.seen.key);
        }
        runs.count(observed.seen, observed.held, observed.calls, observed.closed, ending);
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
