package dev.understudy.sidecar.flame;

import dev.understudy.divergence.noise.Folding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of all debug JVMs, route by route.
 *
 * <p>An agent tells of stacks by their exchange's debug span, or by the bytes it was; lane loops tell which routes these were of: the newest
 * {@code 1 << }{@value #ENDINGS_BITS} or so of them are known, and none before an agent has told anything. That takes no lock; all else is
 * guarded by this object and done by those who tell and ask. What finds nobody to join is counted as of no route.
 */
public final class Flames {
    /** What stacks are counted under whose exchange has no route that is known. */
    public static final String UNNAMED = "(no route known)";

    static final int ENDINGS_BITS = 14;
    static final int MOST_WAITING = 2048;
    static final int MOST_ROUTES = 256;
    static final int MOST_NAMES = 1 << 15;
    /** Of the trees of all routes together. */
    static final int MOST_NODES = 1 << 16;

    /** Later the same port may be another connection's; agents tell of stacks every second. */
    private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int LONGEST_REQUEST = 500;
    private static final String OTHERS = "(other routes)";
    private static final String OTHER_METHODS = "(other methods)";

    /** By their keys' hashes; a later one takes an earlier one's place. */
    private final AtomicReferenceArray<@Nullable Ended> endings = new AtomicReferenceArray<>(1 << ENDINGS_BITS);

    private final LongSupplier nanoTime;
    private final LinkedHashMap<String, Deque<int[]>> waiting = new LinkedHashMap<>();
    private final Map<Place, CallTree> trees = new HashMap<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private int waitingStacks;
    private int nodes;
    private volatile boolean told;

    /** @param nanoTime {@link System#nanoTime()}, or a test's */
    public Flames(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        names.put(OTHER_METHODS, 0);
    }

    /** By what both sides know an exchange: its debug span, or where its request's bytes were; empty if by nothing. */
    public static String key(String span, int port, long from) {
        return !span.isEmpty() ? span : port > 0 ? port + "@" + from : "";
    }

    /** An exchange of that debug JVM has ended; for lane loops: never waits. */
    public void ended(String debug, String key, String listener, String request) {
        if (told && !key.isEmpty()) {
            String kept = Folding.shortened(request, LONGEST_REQUEST);
            endings.lazySet(slot(key), new Ended(nanoTime.getAsLong(), key, debug, listener, kept));
        }
    }

    /** An agent has taken stacks. */
    public synchronized void sampled(StackBatch batch) {
        told = true;
        joinWaiting();
        int[] ours = new int[batch.names().size()];
        for (int i = 0; i < ours.length; i++) {
            ours[i] = number(batch.names().get(i));
        }
        for (StackBatch.Stack stack : batch.stacks()) {
            int[] frames = stack.frames().clone();
            for (int i = 0; i < frames.length; i++) {
                frames[i] = ours[frames[i]];
            }
            join(stack.key(), frames);
        }
    }

    /** What there is by now. */
    public synchronized Flame read() {
        joinWaiting();
        List<Flame.Route> routes = new ArrayList<>();
        trees.forEach((place, tree) -> routes.add(new Flame.Route(
                place.listener(), place.debug(), place.route(), tree.samples(), tree.left(), tree.nodes())));
        routes.sort(Comparator.comparingLong(Flame.Route::samples)
                .reversed()
                .thenComparing(Flame.Route::listener)
                .thenComparing(Flame.Route::debug)
                .thenComparing(Flame.Route::route));
        return new Flame(new ArrayList<>(names.keySet()), routes, waitingStacks);
    }

    private int number(String name) {
        Integer known = names.get(name);
        if (known != null) {
            return known;
        }
        if (names.size() >= MOST_NAMES) {
            return 0;
        }
        names.put(name, names.size());
        return names.size() - 1;
    }

    private void join(String key, int[] stack) {
        Place place = key.isEmpty() ? Place.UNKNOWN : place(key);
        if (place != null) {
            add(place, stack);
            return;
        }
        waiting.computeIfAbsent(key, unseen -> new ArrayDeque<>()).add(stack);
        waitingStacks++;
        while (waitingStacks > MOST_WAITING) {
            Map.Entry<String, Deque<int[]>> eldest =
                    waiting.entrySet().iterator().next();
            add(Place.UNKNOWN, eldest.getValue().remove());
            waitingStacks--;
            if (eldest.getValue().isEmpty()) {
                waiting.remove(eldest.getKey());
            }
        }
    }

    private void joinWaiting() {
        for (Iterator<Map.Entry<String, Deque<int[]>>> each = waiting.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Deque<int[]>> next = each.next();
            Place place = place(next.getKey());
            if (place != null) {
                each.remove();
                waitingStacks -= next.getValue().size();
                next.getValue().forEach(stack -> add(place, stack));
            }
        }
    }

    private @Nullable Place place(String key) {
        Ended ended = endings.get(slot(key));
        return ended == null || !ended.key().equals(key) || nanoTime.getAsLong() - ended.at() > KNOWN_NANOS
                ? null
                : new Place(ended.listener(), ended.debug(), Folding.route(ended.request()));
    }

    private static int slot(String key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash >>> (Integer.SIZE - ENDINGS_BITS);
    }

    private void add(Place place, int[] stack) {
        CallTree tree = trees.get(place);
        if (tree == null) {
            Place counted = trees.size() < MOST_ROUTES ? place : new Place(place.listener(), place.debug(), OTHERS);
            tree = trees.computeIfAbsent(counted, unseen -> new CallTree());
        }
        nodes += tree.add(stack, 1, MOST_NODES - nodes);
    }

    private record Ended(long at, String key, String debug, String listener, String request) {}

    private record Place(String listener, String debug, String route) {
        private static final Place UNKNOWN = new Place("", "", UNNAMED);
    }
}
