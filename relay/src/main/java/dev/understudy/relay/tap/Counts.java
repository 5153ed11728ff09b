package dev.understudy.relay.tap;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** A count for each value of an enum. Thread-safe. */
public final class Counts<K extends Enum<K>> {
    private final Map<K, LongAdder> counts;

    /** Counts that nobody else sees. */
    public Counts(Class<K> kind) {
        counts = new EnumMap<>(kind);
        for (K key : kind.getEnumConstants()) {
            counts.put(key, new LongAdder());
        }
    }

    /** Counts that are also registered as the counter {@code name}, the value in lower case as tag {@code tag}. */
    public Counts(Class<K> kind, MeterRegistry registry, String name, Tags tags, String tag) {
        this(kind);
        counts.forEach((key, count) -> FunctionCounter.builder(name, count, LongAdder::sum)
                .tags(tags.and(tag, key.name().toLowerCase(Locale.ROOT)))
                .register(registry));
    }

    /** Adds {@code n} to the count of {@code key}. */
    public void add(K key, long n) {
        Objects.requireNonNull(counts.get(key)).add(n);
    }

    /** The count of {@code key}. */
    public long get(K key) {
        return Objects.requireNonNull(counts.get(key)).sum();
    }

    /** The values counted at all. */
    public Map<K, Long> counted() {
        Map<K, Long> counted = new TreeMap<>();
        counts.forEach((key, count) -> {
            if (count.sum() != 0) {
                counted.put(key, count.sum());
            }
        });
        return Collections.unmodifiableMap(counted);
    }
}
