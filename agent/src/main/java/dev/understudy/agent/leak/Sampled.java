package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Followed;
import org.jspecify.annotations.Nullable;

/**
 * An object of a class that is watched, held weakly, and the places at which it was used last, each with the count of
 * live objects before.
 *
 * <p>Which use is the last one is known afterwards. So those between two counts are looked at that begin a run of uses,
 * and of a long run some; a use that isn't looked at leaves a mark, which the next one that is takes away. Any threads
 * may spoil these plain numbers for each other: then a stack more or fewer is taken.
 */
final class Sampled extends Followed {
    /** Places that are remembered: one that uses all objects again and again leaves those before. */
    static final int PLACES = 4;
    /** Without a use for so long a run ends. */
    static final long RUN_NANOS = 100_000;
    /** Of a run so many uses are looked at, and fewer the longer it is. */
    static final int FIRST_USES = 16;

    private static final int RUNS = 16;
    /** Of an object that is there for longer: nearly all leave this in peace, and a few use it all the time. */
    private static final int OLD_RUNS = 4;

    private final LastUses uses;
    private final @Nullable UsePlace[] places = new UsePlace[PLACES];
    private final int[] counts = new int[PLACES];
    private int missed = -1;
    private boolean old;
    private int seen = -1;
    private int runs;
    private int run;
    private long lastNanos;

    /** One that wasn't used yet; {@code uses} is told of each use. */
    Sampled(Object object, LastUses uses) {
        super(object);
        this.uses = uses;
    }

    @Override
    protected void used() {
        uses.used(this);
    }

    @Override
    protected void missed() {
        uses.missed(this);
    }

    /** It outlived a count. */
    void grownOld() {
        old = true;
    }

    boolean isOld() {
        return old;
    }

    /** Whether a use is looked at: {@code count} counts were taken before it. */
    boolean due(int count, long nanos) {
        if (seen != count) {
            seen = count;
            runs = 0;
        }
        if (runs == 0 || nanos - lastNanos > RUN_NANOS) {
            runs++;
            run = 0;
        }
        lastNanos = nanos;
        int now = run++;
        int oneIn = now < FIRST_USES ? 1 : Integer.highestOneBit(now) / (FIRST_USES / 2);
        return runs <= (old ? OLD_RUNS : RUNS) && (now & (oneIn - 1)) == 0;
    }

    /** It was used there. */
    void usedAt(UsePlace place, int count) {
        missed = -1;
        int at = 0;
        while (at < PLACES - 1 && places[at] != place && places[at] != null) {
            at++;
        }
        if (places[at] != place) {
            place.oneMore();
        }
        for (; at > 0; at--) {
            places[at] = places[at - 1];
            counts[at] = counts[at - 1];
        }
        places[0] = place;
        counts[0] = count;
    }

    /** It was used, and nobody looked where. */
    void missed(int count) {
        missed = count;
    }

    /** Whether it was used there since that count. */
    boolean wasUsedAt(UsePlace place, int count) {
        for (int i = 0; i < PLACES; i++) {
            if (places[i] == place && counts[i] == count) {
                return true;
            }
        }
        return false;
    }

    /** Where it was used last, those left out that come by all objects again and again; null if nowhere. */
    @Nullable
    UsePlace last() {
        int at = lastAt();
        return at < 0 ? null : places[at];
    }

    /** The count before that, or before a later use of which nobody knows; -1 if it was never used. */
    int lastCount() {
        int at = lastAt();
        int known = at < 0 ? -1 : counts[at];
        return isVisited() ? known : Math.max(known, missed);
    }

    /** Whether there was a later use, of which nobody knows where. */
    boolean isMissed() {
        return missed >= 0 && !isVisited();
    }

    /** Whether what came by all of them was the last to be seen: what nobody looked at is then taken for the same. */
    private boolean isVisited() {
        UsePlace latest = places[0];
        return latest != null && latest.visitsAll();
    }

    private int lastAt() {
        for (int i = 0; i < PLACES; i++) {
            UsePlace place = places[i];
            if (place != null && !place.visitsAll()) {
                return i;
            }
        }
        return -1;
    }
}
