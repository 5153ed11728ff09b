package dev.understudy.divergence.compare;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a comparison may overlook and how far it goes.
 *
 * @param clockTolerance how far outside its exchange a time stamp may lie
 * @param localZones the zones that the two JVMs may run in, for time stamps that name none
 * @param maxDecoded the most bytes a compressed body may expand to; a larger one isn't compared
 * @param maxDifferences how many differences, real and noise each, are listed
 * @param maxShown how many characters of a value are shown
 * @param ignoredHeaders names, in any case, of headers that aren't compared at all
 */
public record ComparisonRules(
        Duration clockTolerance,
        Set<ZoneId> localZones,
        int maxDecoded,
        int maxDifferences,
        int maxShown,
        Set<String> ignoredHeaders) {
    public ComparisonRules {
        positive("clockTolerance in ms", clockTolerance.toMillis());
        positive("maxDecoded", maxDecoded);
        positive("maxDifferences", maxDifferences);
        positive("maxShown", maxShown);
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(ignoredHeaders);
        localZones = Set.copyOf(localZones);
        ignoredHeaders = Collections.unmodifiableSet(names);
    }

    /** Nothing ignored; 2 s, UTC and this machine's zone, 16 MiB decoded, 50 differences, 200 characters. */
    public static ComparisonRules defaults() {
        return new ComparisonRules(Duration.ofSeconds(2), zones(), 16 << 20, 50, 200, Set.of());
    }

    private static Set<ZoneId> zones() {
        ZoneId here = ZoneId.systemDefault();
        return here.equals(ZoneOffset.UTC) ? Set.of(here) : Set.of(ZoneOffset.UTC, here);
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
