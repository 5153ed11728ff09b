package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers of our own for methods, one for all agents that know a method of that name. Not for several threads. */
final class Methods {
    static final int MOST = 1 << 16;
    private static final int MOST_AGENTS = 16;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final Map<String, Agent> agents = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Agent> eldest) {
            return size() > MOST_AGENTS;
        }
    };

    String name(int number) {
        return names.get(number);
    }

    /** How an agent's numbers are to be read, with the names that this batch brings. */
    Agent of(ObservedBatch batch) {
        Agent agent = agents.get(batch.agent);
        if (agent == null || agent.run != batch.run) {
            agent = new Agent(batch.run);
            agents.put(batch.agent, agent);
        }
        for (Map.Entry<Integer, String> named : batch.methods.entrySet()) {
            agent.learn(named.getKey(), number(named.getValue()));
        }
        return agent;
    }

    private int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (names.size() >= MOST) {
            return -1;
        }
        names.add(name);
        numbers.put(name, names.size() - 1);
        return names.size() - 1;
    }

    /** One agent's numbers. */
    static final class Agent {
        private final long run;
        private int[] ours = new int[0];

        Agent(long run) {
            this.run = run;
        }

        /** These predicates in our numbers, in the same order; null if one is of a method that was never named. */
        int @Nullable [] predicates(int[] theirs) {
            int[] held = new int[theirs.length];
            for (int i = 0; i < held.length; i++) {
                int method = method(theirs[i] / Predicate.ROOM);
                int kind = theirs[i] % Predicate.ROOM;
                if (method < 0 || kind >= Predicate.ALL.length) {
                    return null;
                }
                held[i] = method * Predicate.ROOM + kind;
            }
            return held;
        }

        /** These methods in our numbers, as far as they were ever named. */
        int[] methods(int[] theirs) {
            return Arrays.stream(theirs)
                    .map(this::method)
                    .filter(one -> one >= 0)
                    .toArray();
        }

        private int method(int theirs) {
            return theirs < ours.length ? ours[theirs] : -1;
        }

        private void learn(int theirs, int number) {
            if (theirs >= ours.length) {
                int before = ours.length;
                ours = Arrays.copyOf(ours, Math.max(theirs + 1, before * 3 / 2));
                Arrays.fill(ours, before, ours.length, -1);
            }
            ours[theirs] = number;
        }
    }
}
