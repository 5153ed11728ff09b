package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the debug JVMs allocate, one by one, from the samples that their agents tell of. Bounded; what finds no room is counted. Guarded by
 * this object.
 */
public final class Allocations {
    static final int MOST_AGENTS = 32;
    static final int MOST_NAMES = 1 << 15;
    /** Of the trees of all agents together. */
    static final int MOST_NODES = 1 << 16;

    private static final String OTHERS = "(other agents)";
    private static final String OTHER_METHODS = "(other methods)";

    private final Map<String, Told> agents = new LinkedHashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final List<String> named = new ArrayList<>();
    private int nodes;

    /** None yet. */
    public Allocations() {
        number(OTHER_METHODS);
    }

    /** An agent tells of samples. */
    public synchronized void sampled(AllocationBatch batch) {
        int[] ours = batch.names().stream().mapToInt(this::number).toArray();
        String name = agents.containsKey(batch.name()) || agents.size() < MOST_AGENTS ? batch.name() : OTHERS;
        Told told = agents.computeIfAbsent(name, unseen -> new Told());
        told.perSecond = batch.perSecond();
        told.samples += batch.samples();
        told.bytes += batch.bytes();
        told.allocated = batch.allocated() < 0 || told.allocated < 0 ? -1 : told.allocated + batch.allocated();
        long placed = 0;
        for (AllocationBatch.Stack stack : batch.stacks()) {
            int[] frames = stack.frames().clone();
            for (int i = 0; i < frames.length; i++) {
                frames[i] = ours[frames[i]];
            }
            placed += stack.bytes();
            nodes += told.tree.add(frames, stack.bytes(), MOST_NODES - nodes);
        }
        told.left += Math.max(0, batch.bytes() - placed);
    }

    /** What there is by now. */
    public synchronized Allocated read() {
        List<Allocated.Agent> all = new ArrayList<>();
        agents.forEach((name, told) -> all.add(new Allocated.Agent(
                name,
                told.perSecond,
                told.samples,
                told.bytes,
                told.left + told.tree.left(),
                told.allocated,
                told.tree.nodes())));
        all.sort(Comparator.comparingLong(Allocated.Agent::bytes).reversed().thenComparing(Allocated.Agent::name));
        return new Allocated(named, all);
    }

    private int number(String name) {
        Integer known = names.get(name);
        if (known != null) {
            return known;
        }
        if (named.size() >= MOST_NAMES) {
            return 0;
        }
        names.put(name, named.size());
        named.add(name);
        return named.size() - 1;
    }

    private static final class Told {
        final CallTree tree = new CallTree();
        int perSecond;
        long samples;
        long bytes;
        long left;
        long allocated;
    }
}
