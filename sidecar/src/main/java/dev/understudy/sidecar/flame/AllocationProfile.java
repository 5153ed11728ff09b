package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the debug JVMs allocate, one by one and route by route, from the samples that their agents tell of. Bounded;
 * what finds no room is counted. Guarded by this object.
 */
public final class AllocationProfile {
    static final int MOST_AGENTS = 32;
    /** Of the trees of all agents together. */
    static final int MOST_NODES = 1 << 16;

    private static final String OTHERS = "(other agents)";

    private final RecentExchanges endings;
    private final RouteTrees.Room room = new RouteTrees.Room(MOST_NODES);
    private final Map<String, Told> agents = new LinkedHashMap<>();
    private final FrameNames names = new FrameNames();

    /** None yet. */
    public AllocationProfile(RecentExchanges endings) {
        this.endings = endings;
    }

    /** An agent tells of samples. */
    public synchronized void sampled(AllocationBatch batch) {
        endings.want();
        int[] ours = names.numbers(batch.names());
        String name = agents.containsKey(batch.name()) || agents.size() < MOST_AGENTS ? batch.name() : OTHERS;
        Told told = agents.computeIfAbsent(name, unseen -> new Told(new RouteTrees(endings, room)));
        told.trees.joinWaiting();
        told.perSecond = batch.perSecond();
        told.samples += batch.samples();
        told.bytes += batch.bytes();
        told.allocated = batch.allocated() < 0 || told.allocated < 0 ? -1 : told.allocated + batch.allocated();
        long placed = 0;
        for (AllocationBatch.Stack stack : batch.stacks()) {
            placed += stack.bytes();
            told.add(
                    stack,
                    new RouteTrees.Stack(FrameNames.translated(stack.frames(), ours), stack.samples(), stack.bytes()));
        }
        told.left += Math.max(0, batch.bytes() - placed);
    }

    /** What there is by now. */
    public synchronized Allocated read() {
        List<Allocated.Agent> all = new ArrayList<>();
        agents.forEach((name, told) -> all.add(told.read(name)));
        all.sort(Comparator.comparingLong(Allocated.Agent::bytes).reversed().thenComparing(Allocated.Agent::name));
        return new Allocated(names.all(), all);
    }

    private static final class Told {
        final RouteTrees trees;
        int perSecond;
        long samples;
        long bytes;
        long left;
        long allocated;

        Told(RouteTrees trees) {
            this.trees = trees;
        }

        void add(AllocationBatch.Stack from, RouteTrees.Stack stack) {
            if (from.nobodys()) {
                trees.add(FramePlace.NOBODYS, stack);
            } else {
                trees.add(from.key(), stack);
            }
        }

        Allocated.Agent read(String name) {
            trees.joinWaiting();
            List<Allocated.Route> routes = new ArrayList<>();
            trees.forEach((place, tree) -> routes.add(new Allocated.Route(
                    place.listener(),
                    place.debug(),
                    place.route(),
                    tree.samples(),
                    tree.weight(),
                    tree.left(),
                    tree.nodes())));
            routes.sort(Comparator.comparingLong(Allocated.Route::bytes)
                    .reversed()
                    .thenComparing(Allocated.Route::listener)
                    .thenComparing(Allocated.Route::debug)
                    .thenComparing(Allocated.Route::route));
            return new Allocated.Agent(name, perSecond, samples, bytes, left, allocated, trees.waiting(), routes);
        }
    }
}
