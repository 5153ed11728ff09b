package dev.understudy.sidecar.label;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * By which rule exchanges fail now: by the one of the settings, or by what operators have made of it since. Any thread.
 */
public final class Labels {
    private final LabelRule configured;
    private volatile Edition now;

    /** Those of the settings, which nobody has changed yet. */
    public Labels(LabelRule configured) {
        this.configured = configured;
        this.now = new Edition(0, configured, configured.conditions());
    }

    /** What the settings say. */
    public LabelRule configured() {
        return configured;
    }

    /** What holds now. */
    public Edition now() {
        return now;
    }

    /**
     * Changes the rule for all exchanges that end from now on; one that says the same is no change.
     *
     * @return what holds then
     */
    public synchronized Edition change(UnaryOperator<LabelRule> change) {
        LabelRule changed = change.apply(now.rule);
        if (!changed.equals(now.rule)) {
            now = new Edition(now.number + 1, changed, changed.conditions());
        }
        return now;
    }

    /**
     * A rule for as long as it holds.
     *
     * @param number one more for each change; the settings' is 0
     * @param conditions what the rule asks of replies beside their status
     */
    public record Edition(int number, LabelRule rule, List<ReplyCondition> conditions) {
        public Edition {
            conditions = List.copyOf(conditions);
        }
    }
}
