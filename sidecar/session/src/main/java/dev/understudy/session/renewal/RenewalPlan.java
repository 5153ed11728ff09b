package dev.understudy.session.renewal;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When a fresh copy takes the place of the one that runs, besides when somebody wants it.
 *
 * @param every how old a copy becomes; zero for as old as the session
 * @param onDivergence the share of replies that may differ, as the sidecar's setting has it: {@code never}, {@code
 *     first}, {@code 1%}
 * @param onOverflow whether it is due once requests were lost because the window was full
 * @param pause the least time from one snapshot of production to the next, whoever wants one
 */
public record RenewalPlan(Duration every, String onDivergence, boolean onOverflow, Duration pause) {
    /** How long the sidecar waits for a fresh copy. */
    private static final Duration LIMIT = Duration.ofMinutes(6);

    private static final Duration SHORTEST = Duration.ofSeconds(10);

    /** Only when somebody wants it. */
    public static final RenewalPlan ON_REQUEST = new RenewalPlan(Duration.ZERO, "never", false, Duration.ofSeconds(60));

    public RenewalPlan {
        if (every.isNegative()) {
            throw new IllegalArgumentException("--renew-every: " + every + " (expected: > 0)");
        }
        if (!onDivergence.matches("never|first|\\d{1,2}(\\.\\d{1,6})?\\s*%")) {
            throw new IllegalArgumentException(
                    "--renew-on-divergence: " + onDivergence + " (expected: never, first, or a share such as 1%)");
        }
        if (pause.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("--renew-pause: " + pause.toMillis() + " ms (expected: at least "
                    + SHORTEST.toSeconds() + " s, since production stands still each time)");
        }
    }

    /** Whether one is made without anybody who wants it. */
    public boolean isAutomatic() {
        return !every.isZero() || !onDivergence.equals("never") || onOverflow;
    }

    /** The sidecar's settings for it. */
    public Map<String, Object> settings(URI webhook) {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("webhook", webhook.toString());
        section.put("every", every.isZero() ? "0s" : every.toSeconds() + "s");
        section.put("on-divergence", onDivergence);
        section.put("on-overflow", onOverflow);
        section.put("pause", pause.toSeconds() + "s");
        section.put("timeout", LIMIT.toSeconds() + "s");
        return section;
    }
}
