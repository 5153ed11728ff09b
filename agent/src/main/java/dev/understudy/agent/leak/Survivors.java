package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The new objects of one class by the places at which they are made: which of them outlive collections.
 *
 * <p>Between two counts of live objects one object in so many is looked at, evenly, and each place holds some of its
 * own: so one that makes an object in a thousand, all of which stay, is known as well as the others, whose objects go.
 * At each count, right after a full collection, those are followed that are still there. {@link #made} is for any
 * threads; everything else is for the one that counts.
 */
final class Survivors extends Allocation {
    /** Objects to look at between two counts, some microseconds each. */
    static final int LOOKS = 4096;
    /** And at most. */
    static final int MOST_LOOKS = 2 * LOOKS;

    static final int MOST_ORIGINS = 1000;
    private static final int MOST_TOLD = 3;

    /** Few of what is made seldom may be passed over in a turn that lasts for a few counts. */
    static final int FIRST_PERIOD = 4;

    static final int LONGEST_PERIOD = 1 << 20;
    /** By how much fewer are looked at once there were enough. */
    private static final int THINNER = 16;

    private final String className;
    private final Stacks stacks;
    private final LastUses uses;
    private final ThreadGroup own;
    private final AtomicInteger looked = new AtomicInteger();
    private final Map<List<String>, Origin> origins = new ConcurrentHashMap<>();
    /** Whatever is made at places for which there is no room. */
    private final Origin elsewhere = new Origin(List.of(), List.of());

    private volatile int period = FIRST_PERIOD;

    /**
     * Nothing is known yet.
     *
     * @param application whether a class is the application's
     * @param agent whether a class is the agent's, which works on the application's threads, too
     * @param own whose threads' objects don't count
     */
    Survivors(String className, Predicate<Class<?>> application, Predicate<Class<?>> agent, ThreadGroup own) {
        this.className = className;
        this.stacks = new Stacks(className, application, agent);
        this.uses = new LastUses(stacks, own);
        this.own = own;
    }

    @Override
    protected int next() {
        int most = looked.get() < MOST_LOOKS ? period : THINNER * period;
        return most <= 1 ? 1 : 1 + ThreadLocalRandom.current().nextInt(2 * most - 1);
    }

    @Override
    protected void made(Object object) {
        // a subclass's objects are made by its parent's constructor too
        if (object.getClass().getName().equals(className)
                && Thread.currentThread().getThreadGroup() != own
                && looked.getAndIncrement() < MOST_LOOKS) {
            origin().made(object, uses);
        }
    }

    private Origin origin() {
        List<String> methods = stacks.makers();
        Origin known = origins.get(methods);
        if (known != null) {
            return known;
        }
        if (origins.size() >= MOST_ORIGINS) {
            return elsewhere;
        }
        Origin fresh = new Origin(methods, stacks.shown());
        Origin first = origins.putIfAbsent(methods, fresh);
        return first == null ? fresh : first;
    }

    /** Does once what constructors will do, so that the application's threads load no class of the agent's for it. */
    void warm() {
        next();
        origin().made(this, uses);
        uses.warm(this);
        origins.clear();
    }

    /** The objects were just counted, behind a full collection. */
    void counted() {
        int all = looked.getAndSet(0);
        int told = Math.min(all, MOST_LOOKS);
        double made = (double) period * (told + (long) THINNER * (all - told));
        all().forEach(origin -> origin.counted(made / Math.max(1, told)));
        if (origins.size() > MOST_ORIGINS / 2) {
            origins.values().removeIf(Origin::isDone);
        }
        period = (int) Math.max(1, Math.min(LONGEST_PERIOD, made / LOOKS));
        Map<Sampled, Double> staying = new HashMap<>();
        all().forEach(origin -> origin.staying(staying));
        uses.counted(staying);
    }

    /** Nobody looks any more. */
    void end() {
        all().forEach(Origin::end);
    }

    private Stream<Origin> all() {
        return Stream.concat(origins.values().stream(), Stream.of(elsewhere));
    }

    /** Where those were used last that stay, those with the most first. */
    List<UseSite> uses() {
        return uses.sites();
    }

    /** The sites whose objects stay, those with the most first. */
    List<UseSite> sites() {
        List<Origin> staying = all().filter(origin -> origin.weight() > 0)
                .sorted(Comparator.comparingDouble(Origin::weight).reversed())
                .collect(Collectors.toList());
        double all = staying.stream().mapToDouble(Origin::weight).sum();
        return staying.stream().limit(MOST_TOLD).map(origin -> origin.site(all)).collect(Collectors.toList());
    }
}
