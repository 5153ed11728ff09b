package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of our own for methods and their branches, one for all agents that know a method of that name. Not for several threads.
 */
final class Methods {
    static final int MOST = 1 << 16;
    private static final int MOST_AGENTS = 16;

    /** By a method's name, or a {@link Branch}. */
    private final Map<Object, Integer> numbers = new HashMap<>();

    private final List<Object> known = new ArrayList<>();
    private final Map<Branch, Integer> sites = new HashMap<>();
    private final Map<String, Agent> agents = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Agent> eldest) {
            return size() > MOST_AGENTS;
        }
    };

    /** The name of a method, or of a branch's method. */
    String name(int number) {
        return known.get(number) instanceof Branch branch ? branch.method() : (String) known.get(number);
    }

    /** The name of its class, with dots. */
    String className(int number) {
        return classOf(name(number));
    }

    /** The name of a method's class, with dots. */
    static String classOf(String method) {
        int end = method.indexOf('#');
        return end < 0 ? method : method.substring(0, end);
    }

    boolean isBranch(int number) {
        return known.get(number) instanceof Branch;
    }

    /** What was seen of a method or branch, in words. */
    String words(int predicate) {
        Predicate kind = Predicate.ALL[predicate % Predicate.ROOM];
        return known.get(predicate / Predicate.ROOM) instanceof Branch branch ? branch.words(kind) : kind.words;
    }

    /** The number, not above this one, under which it is counted whether anything of it was seen. */
    int site(int number) {
        return known.get(number) instanceof Branch branch ? sites.getOrDefault(branch.site(), number) : number;
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
        for (Map.Entry<Integer, Branch> named : batch.branches.entrySet()) {
            int number = number(named.getValue());
            agent.learn(named.getKey(), number);
            if (number >= 0) {
                sites.putIfAbsent(named.getValue().site(), number);
            }
        }
        return agent;
    }

    private int number(Object named) {
        Integer number = numbers.get(named);
        if (number != null) {
            return number;
        }
        if (known.size() >= MOST) {
            return -1;
        }
        known.add(named);
        numbers.put(named, known.size() - 1);
        return known.size() - 1;
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
