package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The stacks of all debug JVMs, route by route.
 *
 * <p>An agent tells of stacks by their exchange's debug span, or by the bytes it was; lane loops tell which routes
 * these were of ({@link Endings}). Guarded by this object. What finds nobody to join is counted as of no route.
 */
public final class Flames {
    /** Of the trees of all routes together. */
    static final int MOST_NODES = 1 << 16;

    private final RecentExchanges endings;
    private final FrameNames names = new FrameNames();
    private final RouteTrees.Room room = new RouteTrees.Room(MOST_NODES);
    private final RouteTrees trees;
    private final LongSupplier millis;

    /**
     * None yet.
     *
     * @param millis {@link System#currentTimeMillis()}, or a test's
     */
    public Flames(RecentExchanges endings, LongSupplier millis) {
        this.endings = endings;
        this.millis = millis;
        trees = new RouteTrees(endings, room);
    }

    /** An agent has taken stacks. */
    public synchronized void sampled(StackBatch batch) {
        endings.want();
        trees.joinWaiting();
        int[] ours = names.numbers(batch.names());
        long time = millis.getAsLong();
        for (StackBatch.Stack stack : batch.stacks()) {
            trees.add(stack.key(), new RouteTrees.Stack(FrameNames.translated(stack.frames(), ours), time, 1, 1));
        }
    }

    /** What there is of that span by now. */
    public synchronized Flame read(Flame.Span span) {
        trees.joinWaiting();
        List<Flame.Route> routes = new ArrayList<>();
        Consumer<RouteTrees.RouteNodes> reader = of -> routes.add(new Flame.Route(
                of.place().listener(), of.place().debug(), of.place().route(), of.samples(), of.left(), of.nodes()));
        if (span.equals(Flame.Span.ALL)) {
            trees.forEach(reader);
        } else {
            trees.forEach(room.log().of(span), reader);
        }
        routes.sort(Comparator.comparingLong(Flame.Route::samples)
                .reversed()
                .thenComparing(Flame.Route::listener)
                .thenComparing(Flame.Route::debug)
                .thenComparing(Flame.Route::route));
        return new Flame(names.all(), routes, trees.waiting(), room.log().forgotten());
    }
}
