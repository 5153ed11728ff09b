package dev.understudy.divergence.compare;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the differences of one comparison: the first ones in full, and always whether there is a real one. */
public final class Differences {
    private final int limit;
    private final int maxShown;
    private final List<Difference> real = new ArrayList<>();
    private final List<Difference> noise = new ArrayList<>();

    /** None yet; how many are kept and how much is shown of each is in the rules. */
    public Differences(ComparisonRules rules) {
        limit = rules.maxDifferences();
        maxShown = rules.maxShown();
    }

    /** Adds one that matters. */
    public void real(String path, Difference.Type type, @Nullable String production, @Nullable String debug) {
        if (real.size() < limit) {
            real.add(new Difference(path, type, shown(production), shown(debug), null));
        }
    }

    /** Adds one that doesn't matter, and why. */
    public void noise(
            String path, Difference.Type type, @Nullable String production, @Nullable String debug, Noise why) {
        if (noise.size() < limit) {
            noise.add(new Difference(path, type, shown(production), shown(debug), why));
        }
    }

    /** Real if there is no reason why it doesn't matter. */
    public void add(
            String path,
            Difference.Type type,
            @Nullable String production,
            @Nullable String debug,
            @Nullable Noise why) {
        if (why == null) {
            real(path, type, production, debug);
        } else {
            noise(path, type, production, debug, why);
        }
    }

    /** Adds those of another part of the exchange. */
    public void addAll(Differences others) {
        for (Difference difference : others.list()) {
            List<Difference> list = difference.noise() == null ? real : noise;
            if (list.size() < limit) {
                list.add(difference);
            }
        }
    }

    /** Whether looking further can't change the verdict nor the list. */
    public boolean full() {
        return real.size() >= limit;
    }

    /** Whether nothing differs at all. */
    public boolean isEmpty() {
        return real.isEmpty() && noise.isEmpty();
    }

    /** Whether there are differences, and a reason for each. */
    public boolean onlyNoise() {
        return real.isEmpty() && !noise.isEmpty();
    }

    /** Those that are kept, the real ones first. */
    public List<Difference> list() {
        List<Difference> all = new ArrayList<>(real);
        all.addAll(noise);
        return all;
    }

    private @Nullable String shown(@Nullable String value) {
        if (value == null || value.length() <= maxShown) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(maxShown - 1)) ? maxShown - 1 : maxShown;
        return value.substring(0, end) + "… (" + value.length() + " characters)";
    }
}
