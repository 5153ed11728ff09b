package dev.understudy.divergence.wire.redis;

import java.util.ArrayList;
import java.util.List;

/** An array, map, set, push or attribute of which not all items have come yet. */
final class RespNesting {
    /** Room for more items is made as they come, whatever was announced. */
    private static final int MOST_AT_ONCE = 16;

    private final char type;
    private final long wanted;
    private final List<RespValue> items;
    private long count;
    private boolean forgetful;

    /**
     * Opens one.
     *
     * @param count as announced: items, or pairs of a map or attribute
     */
    RespNesting(char type, long count) {
        this.type = type;
        this.wanted = switch (type) {
            case '%' -> 2 * count;
            case '|' -> 2 * count + 1; // the value that it belongs to follows
            default -> count;
        };
        this.items = new ArrayList<>((int) Math.min(wanted, MOST_AT_ONCE));
    }

    void add(RespValue item) {
        count++;
        if (!forgetful) {
            items.add(item);
        }
    }

    boolean full() {
        return count == wanted;
    }

    char type() {
        return type;
    }

    /** Those that have come. */
    List<RespValue> items() {
        return List.copyOf(items);
    }

    /** Counts its items from now on, and has none. */
    void forget() {
        forgetful = true;
        items.clear();
    }

    /** The whole of it; an empty one of no meaning if it has forgotten its items. */
    RespValue value() {
        if (forgetful) {
            return new RespValue.Null();
        }
        return switch (type) {
            case '~' -> new RespValue.Unordered(items);
            case '>' -> new RespValue.Push(items);
            case '%' -> new RespValue.Mapping(entries(items.size()));
            case '|' -> new RespValue.Attributed(entries(items.size() - 1), items.get(items.size() - 1));
            default -> new RespValue.Array(items);
        };
    }

    private List<RespValue.Entry> entries(int until) {
        List<RespValue.Entry> entries = new ArrayList<>(until / 2);
        for (int i = 0; i < until; i += 2) {
            entries.add(new RespValue.Entry(items.get(i), items.get(i + 1)));
        }
        return entries;
    }
}
