package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocation;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Some of the new objects of one class, held weakly, with the stacks on which they were made: which of them outlive collections.
 *
 * <p>What is made between two counts of live objects is sampled evenly; at each count, right after a full collection, those are
 * followed that are still there. {@link #made} is for any threads; everything else is for the one that counts.
 */
final class Survivors extends Allocation {
    /** Kept of what is made between two counts. */
    private static final int NEW = 256;
    /** Stacks taken between two counts. */
    private static final int MOST_STACKS = 512;

    private static final int FOLLOWED = 1024;
    private static final int MOST_SITES = 1000;
    private static final int MOST_TOLD = 3;
    private static final int DEPTH = 64;
    private static final int METHODS = 5;
    private static final int SHOWN = 14;
    /** How many more collections an object must outlive: a request that is served during one, or a batch, ends before. */
    private static final int OLD = 2;

    private static final int FIRST_PERIOD = 32;
    private static final int LONGEST_PERIOD = 1 << 20;
    /** By how much fewer are looked at once there are enough stacks. */
    private static final int THINNER = 16;

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final String className;
    private final Predicate<Class<?>> application;
    private final ThreadGroup own;
    private final AtomicReferenceArray<@Nullable Fresh> fresh = new AtomicReferenceArray<>(NEW);
    private final AtomicInteger looked = new AtomicInteger();
    private final List<Followed> followed = new ArrayList<>();
    private final Map<List<String>, Tally> sites = new HashMap<>();
    private final Random random = new Random(1);
    private volatile int period = FIRST_PERIOD;

    /**
     * Nothing is known yet.
     *
     * @param application whether a class is the application's
     * @param own whose threads' objects don't count
     */
    Survivors(String className, Predicate<Class<?>> application, ThreadGroup own) {
        this.className = className;
        this.application = application;
        this.own = own;
    }

    @Override
    protected int next() {
        int most = looked.get() < MOST_STACKS ? period : THINNER * period;
        return most <= 1 ? 1 : 1 + ThreadLocalRandom.current().nextInt(2 * most - 1);
    }

    @Override
    protected void made(Object object) {
        // a subclass's objects are made by its parent's constructor too
        if (!object.getClass().getName().equals(className)
                || Thread.currentThread().getThreadGroup() == own) {
            return;
        }
        int before = looked.getAndIncrement();
        int place = before < NEW ? before : ThreadLocalRandom.current().nextInt(before + 1);
        if (before < MOST_STACKS && place < NEW) {
            fresh.set(place, fresh(object));
        }
    }

    private static Fresh fresh(Object object) {
        return new Fresh(
                new WeakReference<>(object),
                WALKER.walk(frames -> frames.limit(DEPTH).toArray(StackFrame[]::new)));
    }

    /** Does once what constructors will do, so that the application's threads load no class of the agent's for it. */
    void warm() {
        next();
        made(fresh(this));
    }

    /** The objects were just counted, behind a full collection. */
    void counted() {
        age();
        int seen = looked.getAndSet(0);
        int kept = Math.min(seen, NEW);
        // beyond so many stacks none is taken, so those that are stand for all
        double weight = kept == 0 ? 0 : (double) period * seen / kept;
        for (int i = 0; i < NEW; i++) {
            Fresh one = fresh.getAndSet(i, null);
            if (one != null) {
                follow(one, weight);
            }
        }
        period = (int) Math.max(1, Math.min(LONGEST_PERIOD, (long) period * Math.max(seen, 1) / NEW));
    }

    private void age() {
        for (Iterator<Followed> all = followed.iterator(); all.hasNext(); ) {
            Followed one = all.next();
            if (one.object.get() == null) {
                one.site.survive(one, -1);
                all.remove();
            } else if (++one.age == OLD) {
                one.site.survive(one, 1);
            }
        }
    }

    private void follow(Fresh one, double weight) {
        List<String> methods = methods(one.stack);
        Tally site = sites.get(methods);
        if (site == null && sites.size() < MOST_SITES) {
            site = new Tally(methods);
            sites.put(methods, site);
        }
        if (site == null) {
            return;
        }
        site.sampled++;
        if (one.object.get() != null) {
            site.stack = site.stack.isEmpty() ? shown(one.stack) : site.stack;
            if (followed.size() >= FOLLOWED) {
                // what was followed for long is judged as it is now
                int place = random.nextInt(FOLLOWED);
                Followed last = followed.remove(followed.size() - 1);
                if (place < followed.size()) {
                    followed.set(place, last);
                }
            }
            followed.add(new Followed(one.object, site, weight));
        }
    }

    /** The sites whose objects stay, those with the most first. */
    List<Site> sites() {
        double all = sites.values().stream().mapToDouble(site -> site.weight).sum();
        return sites.values().stream()
                .filter(site -> site.survived > 0)
                .sorted(Comparator.comparingDouble((Tally site) -> site.weight).reversed())
                .limit(MOST_TOLD)
                .map(site -> new Site(site.methods, site.stack, site.sampled, site.survived, site.weight / all))
                .collect(Collectors.toList());
    }

    private List<String> methods(StackFrame[] stack) {
        List<String> methods = new ArrayList<>();
        for (StackFrame frame : stack) {
            if (methods.size() < METHODS && application.test(frame.getDeclaringClass()) && !isOwnConstructor(frame)) {
                String method = frame.getClassName() + "#" + frame.getMethodName();
                if (!methods.contains(method)) {
                    methods.add(method);
                }
            }
        }
        return methods;
    }

    private boolean isOwnConstructor(StackFrame frame) {
        return frame.getMethodName().equals("<init>") && frame.getClassName().equals(className);
    }

    private static boolean isOurs(StackFrame frame) {
        return frame.getDeclaringClass() == Survivors.class
                || frame.getDeclaringClass() == Allocation.class
                || frame.getDeclaringClass() == Allocations.class;
    }

    private static List<String> shown(StackFrame[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> !isOurs(frame))
                .limit(SHOWN)
                .map(Objects::toString)
                .collect(Collectors.toList());
    }

    private static final class Fresh {
        private final WeakReference<Object> object;
        private final StackFrame[] stack;

        Fresh(WeakReference<Object> object, StackFrame[] stack) {
            this.object = object;
            this.stack = stack;
        }
    }

    private static final class Followed {
        private final WeakReference<Object> object;
        private final Tally site;
        /** How many objects it stands for. */
        private final double weight;

        private int age;

        Followed(WeakReference<Object> object, Tally site, double weight) {
            this.object = object;
            this.site = site;
            this.weight = weight;
        }
    }

    private static final class Tally {
        private final List<String> methods;
        /** Of the first object that was still there; empty before. */
        private List<String> stack = List.of();

        private long sampled;
        private long survived;
        private double weight;

        Tally(List<String> methods) {
            this.methods = methods;
        }

        void survive(Followed one, int sign) {
            if (one.age >= OLD) {
                survived += sign;
                weight += sign * one.weight;
            }
        }
    }
}
