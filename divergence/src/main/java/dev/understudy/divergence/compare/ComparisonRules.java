package dev.understudy.divergence.compare;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a comparison may overlook and how far it goes.
 *
 * @param clockTolerance how far outside its exchange a time stamp may lie
 * @param maxDecoded the most bytes a compressed body may expand to; a larger one is compared as sent
 * @param maxDifferences how many differences, real and noise each, are listed
 * @param maxShown how many characters of a value are shown
 * @param ignoredHeaders names, in any case, of headers that aren't compared at all
 */
public record ComparisonRules(
        Duration clockTolerance, int maxDecoded, int maxDifferences, int maxShown, Set<String> ignoredHeaders) {
    public ComparisonRules {
        positive("clockTolerance in ms", clockTolerance.toMillis());
        positive("maxDecoded", maxDecoded);
        positive("maxDifferences", maxDifferences);
        positive("maxShown", maxShown);
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(ignoredHeaders);
        ignoredHeaders = java.util.Collections.unmodifiableSet(names);
    }

    /** Nothing ignored; 2 s, 16 MiB decoded, 50 differences, 200 characters. */
    public static ComparisonRules defaults() {
        return new ComparisonRules(Duration.ofSeconds(2), 16 << 20, 50, 200, Set.of());
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
