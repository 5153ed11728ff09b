package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Uses;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A place at which objects of one class are made, as far as the application's methods on the stack tell it, and some of
 * those objects, held weakly. {@link #made} is for any threads; everything else is for the one that counts live
 * objects.
 */
final class Origin {
    /** Held of what is made here between two counts. */
    static final int FRESH = 32;
    /** Followed from count to count: more than are made until it is known of the first whether they stay. */
    static final int FOLLOWED = 4 * FRESH;
    /**
     * How many more collections an object must outlive: a request that is served during one, or a batch, ends before.
     */
    private static final int OLD = 2;

    private final List<String> methods;
    private final List<String> stack;
    private final AtomicReferenceArray<@Nullable Sampled> fresh = new AtomicReferenceArray<>(FRESH);
    private final AtomicInteger seen = new AtomicInteger();
    private final List<Followed> followed = new ArrayList<>();
    private long sampled;
    private long survived;
    private double weight;

    /**
     * Nothing was made here yet.
     *
     * @param methods the application's, the nearest first
     * @param stack of the first object, as far as it is told
     */
    Origin(List<String> methods, List<String> stack) {
        this.methods = methods;
        this.stack = stack;
    }

    /** An object was made here; of many some are held, each of them with the same probability. */
    void made(Object object, LastUses uses) {
        int before = seen.getAndIncrement();
        int place = before < FRESH ? before : ThreadLocalRandom.current().nextInt(before + 1);
        if (place < FRESH) {
            Sampled instead = fresh.getAndSet(place, uses.sampled(object));
            if (instead != null) {
                Uses.unfollow(instead);
            }
        }
    }

    /**
     * The objects were just counted, behind a full collection.
     *
     * @param each for how many objects one stands that {@link #made} was told of
     */
    void counted(double each) {
        age();
        int all = seen.getAndSet(0);
        double heldStandsFor = each * Math.max(1, all / (double) FRESH);
        for (int i = 0; i < FRESH; i++) {
            Sampled one = fresh.getAndSet(i, null);
            if (one != null) {
                sampled++;
                follow(one, heldStandsFor);
            }
        }
    }

    private void age() {
        for (Iterator<Followed> all = followed.iterator(); all.hasNext(); ) {
            Followed one = all.next();
            if (one.object.get() == null) {
                survive(one, -1);
                Uses.unfollow(one.object);
                all.remove();
            } else if (++one.age == OLD) {
                survive(one, 1);
            }
        }
    }

    private void survive(Followed one, int sign) {
        if (one.age >= OLD) {
            survived += sign;
            weight += sign * one.weight;
        }
    }

    private void follow(Sampled object, double standsFor) {
        if (object.get() == null) {
            Uses.unfollow(object);
            return;
        }
        object.grownOld();
        if (followed.size() >= FOLLOWED) {
            // one of the elder, of which it is known; it stays judged as it is now
            int elder = ThreadLocalRandom.current().nextInt(FOLLOWED - (OLD + 1) * FRESH);
            Uses.unfollow(followed.remove(elder).object);
        }
        followed.add(new Followed(object, standsFor));
    }

    /** Puts in those that are followed and stay, and for how many each stands. */
    void staying(Map<Sampled, Double> all) {
        for (Followed one : followed) {
            if (one.age >= OLD && one.object.get() != null) {
                all.put(one.object, one.weight);
            }
        }
    }

    /** Nobody looks any more. */
    void end() {
        for (int i = 0; i < FRESH; i++) {
            Sampled one = fresh.getAndSet(i, null);
            if (one != null) {
                Uses.unfollow(one);
            }
        }
        followed.forEach(one -> Uses.unfollow(one.object));
        followed.clear();
    }

    /** Whether nothing that is known was made here is there any more. */
    boolean isDone() {
        return survived == 0 && followed.isEmpty();
    }

    /** How many objects stay that were made here, by reckoning; 0 as long as none is known to. */
    double weight() {
        return survived > 0 ? weight : 0;
    }

    /** What is told of it, when so many objects of its class stay in all. */
    UseSite site(double all) {
        return new UseSite(methods, stack, sampled, survived, weight / all);
    }

    private static final class Followed {
        private final Sampled object;
        /** How many objects it stands for. */
        private final double weight;

        private int age;

        Followed(Sampled object, double weight) {
            this.object = object;
            this.weight = weight;
        }
    }
}
