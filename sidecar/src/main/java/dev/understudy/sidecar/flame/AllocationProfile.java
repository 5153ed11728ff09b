package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
    private final LongSupplier millis;

    /**
     * None yet.
     *
     * @param millis {@link System#currentTimeMillis()}, or a test's
     */
    public AllocationProfile(RecentExchanges endings, LongSupplier millis) {
        this.endings = endings;
        this.millis = millis;
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
        long time = millis.getAsLong();
        long placed = 0;
        for (AllocationBatch.Stack stack : batch.stacks()) {
            placed += stack.bytes();
            told.add(
                    stack,
                    new RouteTrees.Stack(
                            FrameNames.translated(stack.frames(), ours), time, stack.samples(), stack.bytes()));
        }
        told.left += Math.max(0, batch.bytes() - placed);
    }

    /** What there is of that span by now. */
    public synchronized Allocated read(Flame.Span span) {
        agents.values().forEach(told -> told.trees.joinWaiting());
        Map<CallTree, SampleLog.Sums> sums =
                span.equals(Flame.Span.ALL) ? null : room.log().of(span);
        List<Allocated.Agent> all = new ArrayList<>();
        agents.forEach((name, told) -> all.add(told.read(name, sums)));
        all.sort(Comparator.comparingLong(Allocated.Agent::bytes).reversed().thenComparing(Allocated.Agent::name));
        return new Allocated(names.all(), all, room.log().forgotten());
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

        /** @param of what trees have of a span; null for all since the beginning */
        Allocated.Agent read(String name, @Nullable Map<CallTree, SampleLog.Sums> of) {
            List<Allocated.Route> routes = new ArrayList<>();
            Consumer<RouteTrees.RouteNodes> reader = found -> routes.add(new Allocated.Route(
                    found.place().listener(),
                    found.place().debug(),
                    found.place().route(),
                    found.samples(),
                    found.weight(),
                    found.left(),
                    found.nodes()));
            if (of == null) {
                trees.forEach(reader);
            } else {
                trees.forEach(of, reader);
            }
            routes.sort(Comparator.comparingLong(Allocated.Route::bytes)
                    .reversed()
                    .thenComparing(Allocated.Route::listener)
                    .thenComparing(Allocated.Route::debug)
                    .thenComparing(Allocated.Route::route));
            return new Allocated.Agent(name, perSecond, samples, bytes, left, allocated, trees.waiting(), routes);
        }
    }
}
