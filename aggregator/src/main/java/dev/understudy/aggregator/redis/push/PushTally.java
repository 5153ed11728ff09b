package dev.understudy.aggregator.redis.push;

import dev.understudy.aggregator.redis.push.Topic.Kind;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one connection is subscribed to, and how many that are as the server counts. Confined to its event loop. */
public final class PushTally {
    private final Map<Kind, Set<String>> topics = new EnumMap<>(Kind.class);
    private long bytes;

    /** False if it was subscribed to that already. */
    public boolean add(Kind kind, String name) {
        boolean added = of(kind).add(name);
        bytes += added ? cost(name) : 0;
        return added;
    }

    /** False if it wasn't subscribed to that. */
    public boolean remove(Kind kind, String name) {
        boolean removed = of(kind).remove(name);
        bytes -= removed ? cost(name) : 0;
        return removed;
    }

    public boolean has(Kind kind, String name) {
        return of(kind).contains(name);
    }

    /** The names of this kind, in the order in which they were subscribed. */
    public List<String> names(Kind kind) {
        return List.copyOf(of(kind));
    }

    /** The number that a confirmation of this kind tells: channels and patterns are counted together. */
    public int count(Kind kind) {
        return kind == Kind.SHARD
                ? of(kind).size()
                : of(Kind.CHANNEL).size() + of(Kind.PATTERN).size();
    }

    /** How many of this kind there are. */
    public int size(Kind kind) {
        return of(kind).size();
    }

    public boolean isEmpty() {
        return bytes == 0;
    }

    public void clear() {
        topics.clear();
        bytes = 0;
    }

    /** Memory that the names take. */
    public long bytes() {
        return bytes;
    }

    private Set<String> of(Kind kind) {
        return topics.computeIfAbsent(kind, none -> new LinkedHashSet<>());
    }

    private static long cost(String name) {
        return 256L + name.length();
    }
}
