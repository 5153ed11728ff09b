package dev.understudy.agent.budget;

import java.util.Locale;

/**
 * How much probes may use for the window to last as long as is wanted, by the queue's model, before it ever fills.
 *
 * <p>Exchanges are taken to be answered one after the other, each in 1/μ without a probe; what probes use, a share B of
 * a core, makes each of the λ that arrive a second longer by B/λ. So with μ₂ as it is while S is spent, and μ as it has
 * to be, B = S + λ·(1/μ − 1/μ₂). S is averaged over some seconds, as the sidecar's rates are. Not safe for several
 * threads.
 */
final class Proactive {
    private static final double MEMORY_SECONDS = 10;

    private double spent;

    /** Probes used such a share of a core in the last {@code seconds}. */
    void spent(double share, double seconds) {
        spent += (1 - Math.exp(-seconds / MEMORY_SECONDS)) * (share - spent);
    }

    /**
     * The share of a core that leaves the window as long as is wanted, at most {@code max}; 0 as long as that isn't
     * known.
     */
    double allows(WindowReading.Flow flow, double max) {
        if (flow.wantedMillis == 0) {
            return max;
        }
        if (!isKnown(flow)) {
            return 0;
        }
        if (flow.needed == 0) {
            return max; // it holds all that comes in that time
        }
        return Math.max(0, Math.min(max, spent + flow.arriving * (1 / flow.needed - 1 / flow.served)));
    }

    /** Why it allows no more, in a few words. */
    static String why(WindowReading.Flow flow) {
        return isKnown(flow)
                ? String.format(
                        Locale.ROOT,
                        "proactive: for a window of %.0f s debug has to answer %.1f/s",
                        flow.wantedMillis / 1e3,
                        flow.needed)
                : "proactive: rates aren't known yet";
    }

    private static boolean isKnown(WindowReading.Flow flow) {
        return flow.arriving > 0 && flow.served > 0 && flow.needed >= 0;
    }
}
