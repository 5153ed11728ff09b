package dev.understudy.sidecar.flame;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stacks as trees of calls, one for each route. Those whose exchange isn't over yet wait; the eldest of too many become
 * of no known route. Not for several threads.
 */
final class RouteTrees {
    static final int MOST_WAITING = 2048;
    /** Of the stacks that wait, of all trees that share a room. */
    static final int MOST_WAITING_FRAMES = 1 << 20;

    static final int MOST_ROUTES = 256;

    private static final String OTHERS = "(other routes)";

    private final RecentExchanges endings;
    private final Room room;
    private final LinkedHashMap<String, Deque<Stack>> waiting = new LinkedHashMap<>();
    private final Map<FramePlace, CallTree> trees = new HashMap<>();
    private int waitingStacks;

    /** @param room for the nodes of all trees, which may be others' too */
    RouteTrees(RecentExchanges endings, Room room) {
        this.endings = endings;
        this.room = room;
    }

    /** What a stack is, when it was heard of in milliseconds since 1970, how often it was seen, and its weight. */
    record Stack(int[] frames, long time, long samples, long weight) {}

    /**
     * What a route has of a span of time.
     *
     * @param left how much of the weight isn't among the nodes
     * @param nodes as {@link CallTree#nodes()} has them
     */
    record RouteNodes(FramePlace place, long samples, long weight, long left, long[] nodes) {}

    /** How many more nodes there may be, and frames of stacks that wait; and the samples of all that share it. */
    static final class Room {
        private final SampleLog log = new SampleLog();
        private int left;
        private int waitingFrames = MOST_WAITING_FRAMES;

        Room(int nodes) {
            this.left = nodes;
        }

        /** Takes room for so many nodes, if there is. */
        boolean take(int nodes) {
            if (nodes > left) {
                return false;
            }
            left -= nodes;
            return true;
        }

        SampleLog log() {
            return log;
        }
    }

    /** Adds one of the exchange with that key, empty if nothing is known of it. */
    void add(String key, Stack stack) {
        FramePlace place = key.isEmpty() ? FramePlace.UNKNOWN : endings.of(key);
        if (place != null) {
            add(place, stack);
            return;
        }
        while (waitingStacks > 0 && (waitingStacks >= MOST_WAITING || stack.frames.length > room.waitingFrames)) {
            giveUpEldest();
        }
        if (stack.frames.length > room.waitingFrames) {
            add(FramePlace.UNKNOWN, stack);
            return;
        }
        waiting.computeIfAbsent(key, unseen -> new ArrayDeque<>()).add(stack);
        waitingStacks++;
        room.waitingFrames -= stack.frames.length;
    }

    private void giveUpEldest() {
        Map.Entry<String, Deque<Stack>> eldest = waiting.entrySet().iterator().next();
        Stack stack = eldest.getValue().remove();
        waitingStacks--;
        room.waitingFrames += stack.frames.length;
        if (eldest.getValue().isEmpty()) {
            waiting.remove(eldest.getKey());
        }
        add(FramePlace.UNKNOWN, stack);
    }

    /** Adds one that belongs there. */
    void add(FramePlace place, Stack stack) {
        CallTree tree = trees.get(place);
        if (tree == null) {
            FramePlace counted =
                    trees.size() < MOST_ROUTES ? place : new FramePlace(place.listener(), place.debug(), OTHERS);
            tree = trees.computeIfAbsent(counted, unseen -> new CallTree());
        }
        int node = tree.add(stack.frames(), stack.samples(), stack.weight(), room);
        room.log.add(stack.time(), tree, node, stack.samples(), stack.weight());
    }

    /** Looks whose exchanges are over by now. */
    void joinWaiting() {
        for (Iterator<Map.Entry<String, Deque<Stack>>> each = waiting.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Deque<Stack>> next = each.next();
            @Nullable FramePlace place = endings.of(next.getKey());
            if (place != null) {
                each.remove();
                waitingStacks -= next.getValue().size();
                next.getValue().forEach(stack -> {
                    room.waitingFrames += stack.frames.length;
                    add(place, stack);
                });
            }
        }
    }

    /** How many stacks wait. */
    int waiting() {
        return waitingStacks;
    }

    /** All, since the beginning. */
    void forEach(Consumer<RouteNodes> reader) {
        trees.forEach((place, tree) ->
                reader.accept(new RouteNodes(place, tree.samples(), tree.weight(), tree.left(), tree.nodes())));
    }

    /** Those that have any of these. */
    void forEach(Map<CallTree, SampleLog.Sums> of, Consumer<RouteNodes> reader) {
        trees.forEach((place, tree) -> {
            SampleLog.Sums sums = of.get(tree);
            if (sums != null) {
                reader.accept(
                        new RouteNodes(place, sums.samples(), sums.weight(), sums.left(), tree.nodes(sums.byNode())));
            }
        });
    }
}
