package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of our own for methods and what is told of their inside, one for all agents that know a method of that name.
 * Not for several threads.
 */
final class Methods {
    static final int MOST = 1 << 16;
    /** Of all that is named together. */
    static final int MOST_CHARACTERS = 8 << 20;

    private static final int MOST_AGENTS = 16;

    /** By a method's name, or an {@link Inside}. */
    private final Map<Object, Integer> numbers = new HashMap<>();

    private final List<Object> known = new ArrayList<>();
    private long characters;
    private final Map<Inside, Integer> sites = new HashMap<>();

    /** How many exchanges had failed when the inside of a class was told of first. */
    private final Map<String, Integer> lookedInto = new HashMap<>();

    private final Map<String, Agent> agents = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Agent> eldest) {
            return size() > MOST_AGENTS;
        }
    };

    /** How many numbers there are; all are below that. */
    int count() {
        return known.size();
    }

    /** The name of a method, or of the one that a number is inside of. */
    String name(int number) {
        return known.get(number) instanceof Inside inside ? inside.method() : (String) known.get(number);
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

    /** The method's own number, of what a number is inside of; itself if that was never named, or is no inside. */
    int whole(int number) {
        return numbers.getOrDefault(name(number), number);
    }

    /** The class that a nested one is in; itself if it is in none. */
    static String outermost(String className) {
        int end = className.indexOf('$');
        return end < 0 ? className : className.substring(0, end);
    }

    /** Whether it is a value that a method has somewhere. */
    boolean isValue(int number) {
        return known.get(number) instanceof SuspectValue;
    }

    /** Whether it is told of the inside of a method, where agents look closer, not of all of it. */
    boolean isInside(int number) {
        return known.get(number) instanceof Inside inside && inside.isDeep();
    }

    /** Whether exchanges may fail for it. */
    boolean accuses(int predicate) {
        return known.get(predicate / Predicate.ROOM) instanceof Inside inside
                ? inside.accuses(predicate % Predicate.ROOM)
                : kind(predicate) != Predicate.USUAL;
    }

    /** The branch that a number stands for; null if it is something else. */
    @Nullable
    Branch branch(int number) {
        return known.get(number) instanceof Branch branch ? branch : null;
    }

    /** The number of a method of that name; -1 if none was ever named. */
    int of(String name) {
        return numbers.getOrDefault(name, -1);
    }

    /**
     * How many exchanges had failed when it could hold for the first time: of a method's inside that is since agents
     * look there.
     */
    int since(int number) {
        return isInside(number) ? lookedInto.getOrDefault(className(number), 0) : 0;
    }

    /** No exchange has failed yet; the insides that agents look into they look into from the first one on. */
    void restart() {
        lookedInto.replaceAll((className, failed) -> 0);
    }

    /** Of how many classes the inside was told of. */
    int classesLookedInto() {
        return lookedInto.size();
    }

    /** What was seen, in words. */
    String words(int predicate) {
        int kind = predicate % Predicate.ROOM;
        return known.get(predicate / Predicate.ROOM) instanceof Inside inside
                ? inside.words(kind)
                : Predicate.ALL[kind].words;
    }

    /** The line of the method's source that it is about; 0 if it is about all of it, or that isn't known. */
    int line(int predicate) {
        return known.get(predicate / Predicate.ROOM) instanceof Inside inside ? inside.ownLine() : 0;
    }

    /** The kind of a predicate that is about all of a method; null of one about its inside. */
    @Nullable
    Predicate kind(int predicate) {
        return known.get(predicate / Predicate.ROOM) instanceof Inside
                ? null
                : Predicate.ALL[predicate % Predicate.ROOM];
    }

    /** Whether it is about all of a method, and not about how long a call took. */
    boolean isOfWhole(int predicate) {
        return kind(predicate) != null && !isTime(predicate);
    }

    /** Whether it is about how long a call took. */
    boolean isTime(int predicate) {
        Predicate kind = kind(predicate);
        return kind != null && kind.site == Predicate.Site.TIME;
    }

    /** The number, not above this one, under which it is counted whether anything of it was seen. */
    int site(int number) {
        return known.get(number) instanceof Inside inside ? sites.getOrDefault(inside.site(), number) : number;
    }

    /**
     * How an agent's numbers are to be read, with the names that this batch brings.
     *
     * @param failed how many exchanges have failed up to now
     */
    Agent of(ObservedBatch batch, int failed) {
        Agent agent = agents.get(batch.agent);
        if (agent == null || agent.run != batch.run) {
            agent = new Agent(batch.run);
            agents.put(batch.agent, agent);
        }
        for (Map.Entry<Integer, String> named : batch.methods.entrySet()) {
            agent.learn(named.getKey(), number(named.getValue()));
        }
        for (Map.Entry<Integer, Inside> named : batch.inside.entrySet()) {
            int number = number(named.getValue());
            agent.learn(named.getKey(), number);
            if (number >= 0) {
                sites.putIfAbsent(named.getValue().site(), number);
                if (isInside(number)) {
                    lookedInto.putIfAbsent(className(number), failed);
                }
            }
        }
        return agent;
    }

    private int number(Object named) {
        Integer number = numbers.get(named);
        if (number != null) {
            return number;
        }
        long more = named.toString().length();
        if (known.size() >= MOST || characters + more > MOST_CHARACTERS) {
            return -1;
        }
        characters += more;
        known.add(named);
        numbers.put(named, known.size() - 1);
        return known.size() - 1;
    }

    private int kinds(int number) {
        return known.get(number) instanceof Inside inside ? inside.kinds() : Predicate.ALL.length;
    }

    /** One agent's numbers. */
    final class Agent {
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
                if (method < 0 || kind >= kinds(method)) {
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

        /** These pairs of methods in our numbers, as far as both were ever named. */
        int[] pairs(int[] theirs) {
            int[] pairs = new int[theirs.length];
            int count = 0;
            for (int i = 0; i + 1 < theirs.length; i += 2) {
                if (method(theirs[i]) >= 0 && method(theirs[i + 1]) >= 0) {
                    pairs[count++] = method(theirs[i]);
                    pairs[count++] = method(theirs[i + 1]);
                }
            }
            return Arrays.copyOf(pairs, count);
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
