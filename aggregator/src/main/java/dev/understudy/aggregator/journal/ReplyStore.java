package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.disk.Stored;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All unused exchanges of a journal by their age, and what becomes of the oldest when there are too many.
 *
 * <pre>
 *   put ──▶ fresh (memory) ──▶ moving (to the disk's thread, at most an eighth of memory) ──▶ stored (disk)
 *             │ no disk, too small for it, or it is behind: evicted                             │ its budget: evicted
 *   what the process before left ──▶ earlier (disk)                                             │
 *   large (any of them): the oldest are evicted while their bodies crowd the room for bodies
 * </pre>
 *
 * <p>Guarded by its journal; never waits for the disk.
 */
final class ReplyStore<R extends RecordedReply> {
    private final JournalBounds bounds;
    private final LongSupplier clock;
    private final @Nullable JournalDisk<R> disk;
    private final @Nullable LargeBodies bodies;
    private final BiConsumer<JournalEntry<R>, Eviction> evicted;
    private final BiConsumer<JournalEntry<R>, @Nullable Stored> moved;
    private final Map<Eviction, Long> counts = new EnumMap<>(Eviction.class);

    private final Deque<JournalEntry<R>> fresh = new ArrayDeque<>();
    private final Deque<JournalEntry<R>> movable = new ArrayDeque<>();
    private final Deque<JournalEntry<R>> stored = new ArrayDeque<>();
    private final Deque<JournalEntry<R>> earlier = new ArrayDeque<>();
    private final Deque<JournalEntry<R>> large = new ArrayDeque<>();

    private long unused;
    private long unusedStored;
    private long unusedLarge;
    private long bytes;
    private long placeBytes;
    private long storedBytes;
    private long movingBytes;
    private long written;
    private long reloaded;
    private boolean loading;

    /**
     * An empty one.
     *
     * @param evicted takes an entry that has to go off its shelf, and remembers why
     * @param moved is told by the disk's thread where an entry lies now, and comes back with it to {@link #moved}
     */
    ReplyStore(
            JournalBounds bounds,
            LongSupplier clock,
            @Nullable JournalDisk<R> disk,
            @Nullable LargeBodies bodies,
            BiConsumer<JournalEntry<R>, Eviction> evicted,
            BiConsumer<JournalEntry<R>, @Nullable Stored> moved) {
        this.bounds = bounds;
        this.clock = clock;
        this.disk = disk;
        this.bodies = bodies;
        this.evicted = evicted;
        this.moved = moved;
        this.loading = disk != null;
    }

    /** Takes in an exchange that is in memory. */
    void put(JournalEntry<R> entry, boolean first) {
        boolean worth = disk != null && (entry.replyBytes() >= JournalDisk.WORTH || entry.large() != null);
        if (first) {
            fresh.addFirst(entry);
        } else {
            fresh.addLast(entry);
        }
        if (worth && first) {
            movable.addFirst(entry);
        } else if (worth) {
            movable.addLast(entry);
        }
        unused++;
        bytes += entry.bytes();
        if (entry.large() != null) {
            isLarge(entry, first);
        }
    }

    /** Its head is left to the disk at once, so that the next process knows whose the body is. */
    private void isLarge(JournalEntry<R> entry, boolean first) {
        if (first) {
            large.addFirst(entry);
        } else {
            large.addLast(entry);
        }
        unusedLarge++;
        if (disk != null) {
            move(entry, disk);
        }
    }

    /** A reply that is too large for the journal isn't taken in. */
    void refused(R reply) {
        count(Eviction.TOO_LARGE);
        reply.discard();
    }

    /** Takes in an exchange that the process before left on disk. */
    void adopt(JournalEntry<R> entry) {
        earlier.addLast(entry);
        reloaded++;
        unused++;
        bytes += entry.bytes();
        isStored(entry, 1);
        if (entry.large() != null) {
            large.addLast(entry);
            unusedLarge++;
        }
    }

    /** An entry was taken off its shelf to be used: no longer any of ours. */
    void out(JournalEntry<R> entry) {
        unused--;
        bytes -= entry.bytes();
        if (entry.stored != null) {
            isStored(entry, -1);
        }
        if (entry.large() != null) {
            unusedLarge--;
            tidy(large, unusedLarge);
        }
        tidy(fresh, unused - unusedStored);
        tidy(movable, unused - unusedStored);
        tidy(stored, unusedStored);
        tidy(earlier, unusedStored);
    }

    private static <R extends RecordedReply> void tidy(Deque<JournalEntry<R>> line, long wanted) {
        if (line.size() > 2 * wanted + 64) {
            line.removeIf(JournalEntry::gone);
        }
    }

    private void isStored(JournalEntry<R> entry, int sign) {
        Stored place = entry.stored;
        if (place != null) {
            unusedStored += sign;
            placeBytes += sign * entry.bytes();
            storedBytes += (long) sign * place.place().length();
        }
    }

    void count(Eviction reason) {
        counts.merge(reason, 1L, Long::sum);
    }

    /** What the process before left has been read; how much it was. */
    long loaded() {
        loading = false;
        return reloaded;
    }

    /** Evicts one that nobody will ask for, wherever it is. */
    void forget(JournalEntry<R> entry) {
        evict(entry, Eviction.FORGOTTEN);
    }

    /** Those that are here, the newest first, as far as {@code most} entries show them. */
    Set<JournalEntry<R>> newest(int limit, int most) {
        Set<JournalEntry<R>> newest = new LinkedHashSet<>(); // one that was written to disk may stand in two lines
        int left = most;
        for (Deque<JournalEntry<R>> line : List.of(fresh, stored, earlier)) {
            Iterator<JournalEntry<R>> entries = line.descendingIterator();
            while (entries.hasNext() && newest.size() < limit && left-- > 0) {
                JournalEntry<R> entry = entries.next();
                if (!entry.gone()) {
                    newest.add(entry);
                }
            }
        }
        return newest;
    }

    JournalCounts counts(long recorded) {
        JournalCounts.Disk onDisk = disk == null
                ? JournalCounts.Disk.NONE
                : new JournalCounts.Disk(
                        unusedStored, disk.used(), disk.capacity(), written, reloaded, loading, disk.trouble());
        return new JournalCounts(recorded, unused, bytes, bounds.memory(), Map.copyOf(counts), onDisk, large());
    }

    private JournalCounts.Large large() {
        return bodies == null
                ? JournalCounts.Large.NONE
                : new JournalCounts.Large(
                        unusedLarge, bodies.used(), bodies.capacity(), bodies.waiting(), bodies.trouble());
    }

    /** Keeps age, disk and memory within bounds, now. */
    void trim(long now) {
        long oldest = now - bounds.age().toNanos();
        expire(earlier, oldest);
        expire(stored, oldest);
        expire(fresh, oldest);
        while (bodies != null && bodies.crowded() && evictLarge()) {
            // one after the other
        }
        JournalDisk<R> to = disk;
        if (to != null) {
            move(to);
            while (placeBytes > bounds.memory() / 2 && evictStored(Eviction.MEMORY)) {
                // one after the other
            }
        }
        while (bytes > bounds.memory()) {
            JournalEntry<R> first = first(fresh);
            if (first == null) {
                return;
            }
            fresh.pollFirst();
            evict(first, reason(first));
        }
    }

    private Eviction reason(JournalEntry<R> entry) {
        if (disk == null || entry.replyBytes() < JournalDisk.WORTH) {
            return Eviction.MEMORY;
        }
        return disk.failing() ? Eviction.DISK_FAILED : Eviction.DISK_SLOW;
    }

    private void expire(Deque<JournalEntry<R>> line, long oldest) {
        for (JournalEntry<R> first = first(line); first != null; first = first(line)) {
            if (first.endNanos >= oldest) {
                return;
            }
            line.pollFirst();
            evict(first, Eviction.AGE);
        }
    }

    /** The oldest of a line that is still where the line says. */
    private @Nullable JournalEntry<R> first(Deque<JournalEntry<R>> line) {
        boolean inMemory = line == fresh || line == movable;
        JournalEntry<R> first = line.peekFirst();
        while (first != null && (first.gone() || (inMemory && (first.moving || first.stored != null)))) {
            line.pollFirst();
            first = line.peekFirst();
        }
        return first;
    }

    /** Begins early, so that the disk has a quarter of the memory's time. */
    private void move(JournalDisk<R> to) {
        while (bytes - movingBytes > bounds.memory() * 3 / 4 && movingBytes < bounds.memory() / 8) {
            JournalEntry<R> next = first(movable);
            if (next == null || !move(next, to)) {
                return;
            }
        }
    }

    private boolean move(JournalEntry<R> entry, JournalDisk<R> to) {
        R reply = entry.reply;
        if (reply == null) {
            throw new IllegalStateException("nothing to move");
        }
        // what is freed comes back a segment at a time
        while (storedBytes + movingBytes + entry.replyBytes() > to.capacity() / 16 * 11 && evictStored(Eviction.DISK)) {
            // one after the other
        }
        if (!to.write(entry.with(reply), place -> moved.accept(entry, place))) {
            if (!to.failing()) {
                evictStored(Eviction.DISK);
            }
            return false;
        }
        entry.moving = true;
        if (movable.peekFirst() == entry) {
            movable.pollFirst();
        }
        movingBytes += entry.replyBytes();
        return true;
    }

    /** The disk has an entry, or couldn't have it. */
    void moved(JournalEntry<R> entry, @Nullable Stored place) {
        movingBytes -= entry.replyBytes();
        entry.moving = false;
        if (entry.gone()) {
            free(place);
        } else if (place == null) {
            fresh.addFirst(entry);
            movable.addFirst(entry);
        } else {
            bytes -= entry.bytes();
            entry.stored = place;
            entry.reply = null;
            bytes += entry.bytes();
            isStored(entry, 1);
            stored.addLast(entry);
            written++;
        }
        trim(clock.getAsLong());
    }

    /** Leaves all to the disk that it can have; the process ends. */
    void save() {
        JournalDisk<R> to = disk;
        for (JournalEntry<R> entry : fresh) {
            R reply = entry.reply;
            if (to != null && !entry.gone() && !entry.moving && reply != null && !reply.isOpen()) {
                entry.moving = to.write(entry.with(reply), place -> {});
            }
        }
    }

    private void free(@Nullable Stored place) {
        if (disk != null && place != null) {
            disk.free(place);
        }
    }

    private boolean evictLarge() {
        JournalEntry<R> first = large.pollFirst();
        while (first != null && first.gone()) {
            first = large.pollFirst();
        }
        if (first == null) {
            return false;
        }
        evict(first, Eviction.DISK);
        return true;
    }

    private boolean evictStored(Eviction reason) {
        Deque<JournalEntry<R>> line = first(earlier) == null ? stored : earlier;
        JournalEntry<R> first = first(line);
        if (first == null) {
            return false;
        }
        line.pollFirst();
        evict(first, reason);
        return true;
    }

    private void evict(JournalEntry<R> entry, Eviction reason) {
        count(reason);
        evicted.accept(entry, reason);
        out(entry);
        free(entry.stored);
        entry.discard();
    }
}
