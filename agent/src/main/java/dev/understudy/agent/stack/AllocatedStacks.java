package dev.understudy.agent.stack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where objects were made, for whom, and isn't told yet: how many samples each stack has, and for how many bytes these
 * stand. What doesn't fit is dropped and counted.
 *
 * <p>Guarded by this object.
 */
final class AllocatedStacks {
    static final int MOST_STACKS = 2048;
    static final int MOST_NAMES = 1 << 14;

    private Map<String, Integer> names = new LinkedHashMap<>();
    private Map<Stack, Stack> stacks = new LinkedHashMap<>();
    private long samples;
    private long bytes;
    private long dropped;

    /**
     * Adds a sample.
     *
     * @param whose for which exchange
     * @param frames the thread's first one first, and the class of what was made
     */
    synchronized void add(Whose whose, List<String> frames, long weight) {
        samples++;
        bytes += weight;
        if (names.size() + frames.size() > MOST_NAMES) {
            dropped++;
            return;
        }
        Stack stack = new Stack(whose, frames.stream().mapToInt(this::number).toArray());
        Stack known = stacks.get(stack);
        if (known == null && stacks.size() >= MOST_STACKS) {
            dropped++;
            return;
        }
        Stack counted = known == null ? stack : known;
        counted.samples++;
        counted.bytes += weight;
        stacks.put(counted, counted);
    }

    /** A sample can't be read. */
    synchronized void drop() {
        samples++;
        dropped++;
    }

    /** All that is there, which is then no longer; null if there is nothing. */
    synchronized @Nullable Batch take() {
        if (samples == 0) {
            return null;
        }
        Batch batch =
                new Batch(new ArrayList<>(names.keySet()), new ArrayList<>(stacks.values()), samples, bytes, dropped);
        names = new LinkedHashMap<>();
        stacks = new LinkedHashMap<>();
        samples = 0;
        bytes = 0;
        dropped = 0;
        return batch;
    }

    private int number(String name) {
        Integer known = names.putIfAbsent(name, names.size());
        return known == null ? names.size() - 1 : known;
    }

    /** What was taken since the last time; {@code dropped} of the samples are in no stack. */
    static final class Batch {
        final List<String> names;
        final List<Stack> stacks;
        final long samples;
        final long bytes;
        final long dropped;

        Batch(List<String> names, List<Stack> stacks, long samples, long bytes, long dropped) {
            this.names = names;
            this.stacks = stacks;
            this.samples = samples;
            this.bytes = bytes;
            this.dropped = dropped;
        }
    }

    /** One stack of one exchange, known by the numbers of its frames' names. */
    static final class Stack {
        final Whose whose;
        final int[] frames;
        long samples;
        long bytes;

        Stack(Whose whose, int[] frames) {
            this.whose = whose;
            this.frames = frames;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Stack
                    && whose.equals(((Stack) other).whose)
                    && Arrays.equals(frames, ((Stack) other).frames);
        }

        @Override
        public int hashCode() {
            return 31 * whose.hashCode() + Arrays.hashCode(frames);
        }
    }
}
