package dev.understudy.observatory.event;

import java.util.Arrays;

/**
 * Whether the exchanges of a tier lie within exchanges of a tier before it, as they do if one waits for the other and
 * their clocks agree. Where few do, it looks for the offset of the clocks at which most would.
 *
 * @param front the tier before
 * @param behind the tier whose exchanges are looked at
 * @param inside what part of them lies within an exchange of {@code front}, from 0 to 1
 * @param offsetMicros how much later the clock of {@code behind} would have to be for most of them to lie inside; 0 if
 *     it is right, or no offset is clearly better
 * @param insideThen what part would lie inside then
 */
public record TierNesting(String front, String behind, double inside, long offsetMicros, double insideThen) {
    /** Below this, clocks or the order of tiers are wrong. */
    public static final double MOST = 0.5;

    private static final int SAMPLED = 500;
    private static final long REACH = 2_000_000;
    private static final long STEP = 2_000;
    private static final double CLEARLY = 0.25;

    /** Looks at some hundreds of {@code behind}'s exchanges, evenly over the run. Neither tier is empty. */
    public static TierNesting of(ExchangeColumns front, ExchangeColumns behind) {
        Cover cover = new Cover(front);
        double inside = cover.inside(behind, 0);
        if (inside >= MOST) {
            return new TierNesting(front.tier(), behind.tier(), inside, 0, inside);
        }
        double best = inside;
        long first = 0;
        long last = 0;
        for (long offset = -REACH; offset <= REACH; offset += STEP) {
            double then = cover.inside(behind, offset);
            if (then > best) {
                best = then;
                first = offset;
            }
            last = then == best ? offset : last;
        }
        boolean clear = best >= inside + CLEARLY;
        return new TierNesting(
                front.tier(), behind.tier(), inside, clear ? (first + last) / 2 : 0, clear ? best : inside);
    }

    /** Whether most lie inside. */
    public boolean isRight() {
        return inside >= MOST;
    }

    /**
     * For each slot of a millisecond (a longer one in a run of more than an hour) the latest end of all exchanges that
     * begin until the slot's end. So an exchange counts as inside although it begins up to a slot before the other one.
     */
    private static final class Cover {
        private static final long SLOT = 1_000;
        private static final int MOST_SLOTS = 4_000_000;

        private final long origin;
        private final long slot;
        private final long[] latest;

        Cover(ExchangeColumns exchanges) {
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (int i = 0; i < exchanges.size(); i++) {
                first = Math.min(first, exchanges.startMicros(i));
                last = Math.max(last, exchanges.startMicros(i));
            }
            origin = first;
            slot = Math.max(SLOT, (last - first) / MOST_SLOTS + 1);
            latest = new long[(int) ((last - first) / slot) + 1];
            Arrays.fill(latest, Long.MIN_VALUE);
            for (int i = 0; i < exchanges.size(); i++) {
                int at = (int) ((exchanges.startMicros(i) - origin) / slot);
                latest[at] = Math.max(latest[at], exchanges.endMicros(i));
            }
            for (int i = 1; i < latest.length; i++) {
                latest[i] = Math.max(latest[i], latest[i - 1]);
            }
        }

        double inside(ExchangeColumns behind, long offset) {
            int sampled = Math.min(SAMPLED, behind.size());
            int inside = 0;
            for (int i = 0; i < sampled; i++) {
                int index = (int) ((long) i * behind.size() / sampled);
                long start = behind.startMicros(index) + offset;
                int at = (int) Math.min(latest.length - 1L, Math.floorDiv(start - origin, slot));
                inside += at >= 0 && latest[at] >= behind.endMicros(index) + offset ? 1 : 0;
            }
            return (double) inside / sampled;
        }
    }
}
