package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
    private final RouteTrees trees;

    /** None yet. */
    public Flames(RecentExchanges endings) {
        this.endings = endings;
        trees = new RouteTrees(endings, new RouteTrees.Room(MOST_NODES));
    }

    /** An agent has taken stacks. */
    public synchronized void sampled(StackBatch batch) {
        endings.want();
        trees.joinWaiting();
        int[] ours = names.numbers(batch.names());
        for (StackBatch.Stack stack : batch.stacks()) {
            trees.add(stack.key(), new RouteTrees.Stack(FrameNames.translated(stack.frames(), ours), 1, 1));
        }
    }

    /** What there is by now. */
    public synchronized Flame read() {
        trees.joinWaiting();
        List<Flame.Route> routes = new ArrayList<>();
        trees.forEach((place, tree) -> routes.add(new Flame.Route(
                place.listener(), place.debug(), place.route(), tree.samples(), tree.left(), tree.nodes())));
        routes.sort(Comparator.comparingLong(Flame.Route::samples)
                .reversed()
                .thenComparing(Flame.Route::listener)
                .thenComparing(Flame.Route::debug)
                .thenComparing(Flame.Route::route));
        return new Flame(names.all(), routes, trees.waiting());
    }
}
