package dev.understudy.divergence.compare;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the differences of one comparison: the first ones in full, and always whether there is a real one. */
public final class Differences {
    /** Characters behind a value's cut that are kept: a secret that is cut in two isn't known by its beginning. */
    private static final int BEHIND = 8192;

    private final int limit;
    private final int maxShown;
    private final List<Difference> real = new ArrayList<>();
    private final List<Difference> noise = new ArrayList<>();
    private @Nullable ValueOrigin origin;

    /** None yet; how many are kept and how much is shown of each is in the rules. */
    public Differences(ComparisonRules rules) {
        limit = rules.maxDifferences();
        maxShown = rules.maxShown();
    }

    /** Adds one that matters. */
    public void real(String path, Difference.Type type, @Nullable String production, @Nullable String debug) {
        if (real.size() < limit) {
            real.add(difference(path, type, production, debug, null));
        }
    }

    /** Adds one that doesn't matter, and why. */
    public void noise(
            String path, Difference.Type type, @Nullable String production, @Nullable String debug, Noise why) {
        if (noise.size() < limit) {
            noise.add(difference(path, type, production, debug, why));
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

    /**
     * From now on values are added that stand in such texts, until {@link #leave}.
     *
     * @param named how long paths are before names of these texts are added to them
     * @return what is to be left to
     */
    public @Nullable ValueOrigin enter(int named, @Nullable TextRange production, @Nullable TextRange debug) {
        ValueOrigin outer = origin;
        if (production != null || debug != null) {
            origin = new ValueOrigin(named, production, debug, outer);
        }
        return outer;
    }

    /** Ends what began with {@link #enter}, which has returned {@code outer}. */
    public void leave(@Nullable ValueOrigin outer) {
        origin = outer;
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

    private Difference difference(
            String path,
            Difference.Type type,
            @Nullable String production,
            @Nullable String debug,
            @Nullable Noise why) {
        ValueOrigin of = origin;
        if (isLong(production) || isLong(debug)) {
            boolean within = origin != null && isOf(production, origin.production()) && isOf(debug, origin.debug());
            of = within && origin != null
                    ? new ValueOrigin(
                            origin.named(),
                            begin(production, origin.production()),
                            begin(debug, origin.debug()),
                            origin.outer())
                    : new ValueOrigin(path.length(), begin(production), begin(debug), origin);
        }
        return new Difference(path, type, shown(production), shown(debug), why, of);
    }

    private boolean isLong(@Nullable String value) {
        return value != null && value.length() > maxShown;
    }

    /** Whether a value is what stands there, maybe in quotes. */
    private static boolean isOf(@Nullable String value, @Nullable TextRange range) {
        return value == null
                || (range != null
                        && value.length() - range.length() == 2 * quote(value, range)
                        && value.startsWith(range.value(), quote(value, range)));
    }

    private static int quote(String value, TextRange range) {
        return value.length() == range.length() ? 0 : 1;
    }

    /** As much of a range as is shown. */
    private @Nullable TextRange begin(@Nullable String value, @Nullable TextRange range) {
        if (value == null || range == null || !isLong(value)) {
            return range;
        }
        return new TextRange(range.text(), range.from(), range.from() + end(value) - quote(value, range));
    }

    private @Nullable TextRange begin(@Nullable String value) {
        if (value == null || !isLong(value)) {
            return null;
        }
        return new TextRange(value.substring(0, Math.min(value.length(), end(value) + BEHIND)), 0, end(value));
    }

    private int end(String value) {
        return Character.isHighSurrogate(value.charAt(maxShown - 1)) ? maxShown - 1 : maxShown;
    }

    private @Nullable String shown(@Nullable String value) {
        if (value == null || !isLong(value)) {
            return value;
        }
        return value.substring(0, end(value)) + "… (" + value.length() + " characters)";
    }
}
