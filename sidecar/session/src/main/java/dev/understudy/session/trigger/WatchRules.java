package dev.understudy.session.trigger;

import dev.understudy.session.outcome.OutcomeSettings;
import dev.understudy.session.program.RecordingLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of rules, and what is done when one of them fires.
 *
 * @param recording what is kept of production's traffic until then
 * @param observe how long a copy is observed at most
 * @param untilCertain whether a certain suspect ends that earlier
 * @param alerts where alerts arrive; null if they don't
 * @param outcome where outcomes go
 * @param rules 1 to {@value #MOST}, each with a name of its own
 */
public record WatchRules(
        RecordingLimits recording,
        Duration observe,
        boolean untilCertain,
        @Nullable AlertSettings alerts,
        OutcomeSettings outcome,
        List<TriggerRule> rules) {
    /** Each has a bit of a number. */
    public static final int MOST = 60;

    public WatchRules {
        rules = List.copyOf(rules);
        if (rules.isEmpty() || rules.size() > MOST) {
            throw new IllegalArgumentException("rules: " + rules.size() + " (expected: 1 to " + MOST + ")");
        }
        Set<String> names = new HashSet<>();
        for (TriggerRule rule : rules) {
            if (!names.add(rule.name())) {
                throw new IllegalArgumentException("rules: two are named " + rule.name());
            }
            if (rule.condition() instanceof RuleCondition.AlertName && alerts == null) {
                throw new IllegalArgumentException("rules: " + rule.name()
                        + " waits for an alert (expected: a section alerts with listen and token)");
            }
        }
    }

    /**
     * Where alerts arrive.
     *
     * @param token what a caller shows; at least 16 characters
     */
    public record AlertSettings(InetSocketAddress listen, String token) {
        private static final int LEAST = 16;

        public AlertSettings {
            if (token.length() < LEAST) {
                throw new IllegalArgumentException(
                        "token: " + token.length() + " characters (expected: at least " + LEAST + ")");
            }
        }

        @Override
        public String toString() {
            return "AlertSettings " + listen;
        }
    }
}
