package dev.understudy.session.trigger;

import java.time.Duration;

/**
 * A rule: what has a copy made, and how often at most.
 *
 * @param name unique in its file
 * @param within the latest time that the condition looks at; it says nothing of alerts, divergences and schedules
 * @param coolDown the least time from one copy of this rule to the next
 * @param perDay copies of this rule in a day of UTC at most
 */
public record TriggerRule(String name, RuleCondition condition, Duration within, Duration coolDown, int perDay) {
    private static final Duration LONGEST = Duration.ofHours(1);

    public TriggerRule {
        if (within.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("within: " + within.toSeconds() + "s (expected: at most 1h)");
        }
    }
}
