package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Uses;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the sampled objects of one class were used last, of those that stay and weren't used since.
 *
 * <p>{@link #used} runs on the application's threads: it takes a stack, some microseconds, for at most
 * {@link #MOST_LOOKS} uses of new objects between two counts, and as many of old ones, and allocates for a place that
 * is new. Beyond that, or beyond {@link #MOST_PLACES}, a use is known and its place isn't. Everything else is for the
 * thread that counts live objects.
 */
final class LastUses {
    /** Uses to look at between two counts. */
    static final int MOST_LOOKS = 2048;

    static final int MOST_PLACES = 1000;
    /** Counts without a use, after which an object counts as used no more. */
    static final int IDLE = 2;

    private static final int MOST_TOLD = 3;

    private final Stacks stacks;
    private final ThreadGroup own;
    private final Map<List<String>, UsePlace> places = new ConcurrentHashMap<>();
    /** Whatever is used at places for which there is no room, or where no method is the application's. */
    private final UsePlace elsewhere = new UsePlace(List.of(), List.of());

    private final AtomicInteger looked = new AtomicInteger();
    private final AtomicInteger lookedAtOld = new AtomicInteger();
    private volatile int count;
    private List<UseSite> sites = List.of();

    /** Nothing is known yet; the threads of {@code own} don't use anything. */
    LastUses(Stacks stacks, ThreadGroup own) {
        this.stacks = stacks;
        this.own = own;
    }

    /** A new object, which is followed if it can tell of its uses. */
    Sampled sampled(Object object) {
        Sampled sampled = new Sampled(object, this);
        if (!stacks.isApplications(object.getClass()) || !Uses.follow(sampled)) {
            sampled.missed(0); // and not known in all its life
        }
        return sampled;
    }

    /** One of them is used, on this thread. */
    void used(Sampled one) {
        if (Thread.currentThread().getThreadGroup() == own) {
            return;
        }
        int now = count;
        long nanos = System.nanoTime();
        AtomicInteger looks = one.isOld() ? lookedAtOld : looked;
        if (!one.due(now, nanos) || looks.get() >= MOST_LOOKS) {
            one.missed(now);
            return;
        }
        looks.incrementAndGet();
        UsePlace place = place(one);
        if (place != null) {
            if (one.isOld() && !one.wasUsedAt(place, now)) {
                place.visited(Thread.currentThread().getId(), nanos);
            }
            one.usedAt(place, now);
        }
    }

    /** Does once what threads of the application will do. */
    void warm(Object any) {
        Sampled one = new Sampled(any, this);
        one.due(count, System.nanoTime());
        UsePlace place = place(one);
        one.usedAt(place == null ? elsewhere : place, count);
        places.clear();
    }

    /** As {@link #used}, while nothing may be looked at. */
    void missed(Sampled one) {
        if (Thread.currentThread().getThreadGroup() != own) {
            one.missed(count);
        }
    }

    /** Null if the agent uses it. */
    private @Nullable UsePlace place(Sampled one) {
        Object object = one.get();
        List<String> methods = object == null ? null : stacks.users(object.getClass());
        if (methods == null) {
            return null;
        }
        UsePlace known = methods.isEmpty() ? elsewhere : places.get(methods);
        if (known != null) {
            return known;
        }
        if (places.size() >= MOST_PLACES) {
            return elsewhere;
        }
        UsePlace fresh = new UsePlace(methods, stacks.shown());
        UsePlace first = places.putIfAbsent(methods, fresh);
        return first == null ? fresh : first;
    }

    /**
     * The objects were just counted.
     *
     * @param staying those that stay, and for how many each stands
     */
    void counted(Map<Sampled, Double> staying) {
        int now = count;
        for (UsePlace place : places.values()) {
            long used = staying.keySet().stream()
                    .filter(one -> one.wasUsedAt(place, now))
                    .count();
            place.counted((int) used, staying.size());
        }
        sites = sites(staying, now);
        if (places.size() > MOST_PLACES / 2) {
            Set<UsePlace> last = staying.keySet().stream()
                    .map(Sampled::last)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toCollection(HashSet::new));
            places.values().retainAll(last);
        }
        looked.set(0);
        lookedAtOld.set(0);
        count = now + 1;
    }

    /** Of which nobody knows where they were used last is taken to be as of the others. */
    private static List<UseSite> sites(Map<Sampled, Double> staying, int now) {
        Map<UsePlace, Double> weights = new HashMap<>();
        Map<UsePlace, Long> objects = new HashMap<>();
        double all = 0;
        double idle = 0;
        double known = 0;
        for (Map.Entry<Sampled, Double> each : staying.entrySet()) {
            Sampled one = each.getKey();
            double weight = each.getValue();
            all += weight;
            if (now - one.lastCount() < IDLE) {
                continue;
            }
            idle += weight;
            if (!one.isMissed()) {
                known += weight;
                UsePlace last = one.last();
                if (last != null) {
                    weights.merge(last, weight, Double::sum);
                    objects.merge(last, 1L, Long::sum);
                }
            }
        }
        double share = known == 0 ? 0 : idle / known / all;
        return weights.entrySet().stream()
                .sorted(Map.Entry.<UsePlace, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_TOLD)
                .map(place -> place.getKey()
                        .site(Objects.requireNonNull(objects.get(place.getKey())), place.getValue() * share))
                .collect(Collectors.toList());
    }

    /** The places at which most were used last of those that stay. */
    List<UseSite> sites() {
        return sites;
    }
}
