package dev.understudy.agent.orders;

import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.weave.ProbeDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code parts}: the agents that share one service's methods, {@code {"agents": ["debug-1", "debug-2"]}}. Classes of
 * others are closed here. An agent that isn't among them, since the sidecar hasn't heard of it yet, looks at all.
 */
public final class PartOrder implements Order {
    private final String name;
    private final Governor governor;
    private final ProbeDirectory directory;
    private volatile List<String> agents = List.of();

    /** @param name that of this agent */
    public PartOrder(String name, Governor governor, ProbeDirectory directory) {
        this.name = name;
        this.governor = governor;
        this.directory = directory;
    }

    @Override
    public String kind() {
        return "parts";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) {
        List<String> read = new ArrayList<>();
        Object all = wanted.get("agents");
        for (Object agent : all instanceof List ? (List<?>) all : List.of()) {
            if (!(agent instanceof String)) {
                return List.of("an agent isn't understood: " + agent + " (expected: its name)");
            }
            read.add((String) agent);
        }
        List<String> complete = read.contains(name) ? List.copyOf(read) : List.of();
        agents = complete;
        governor.part(probe -> isElsewhere(complete, probe));
        return List.of();
    }

    @Override
    public String standing() {
        List<String> now = agents;
        if (now.isEmpty()) {
            return "all methods";
        }
        int own = 0;
        int probes = directory.probes();
        for (int probe = 1; probe < probes; probe++) {
            own += isElsewhere(now, probe) ? 0 : 1;
        }
        return own + " of " + (probes - 1) + " methods, as one of " + now.size() + " agents";
    }

    private boolean isElsewhere(List<String> shared, int probe) {
        return !shared.isEmpty()
                && !MethodShare.owner(shared, directory.probe(probe).className())
                        .equals(name);
    }
}
