package dev.understudy.agent;

import dev.understudy.agent.export.ShownSetting;
import dev.understudy.agent.orders.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BiFunction;

/**
 * {@code settings}: what the operator wants of settings while the JVM runs, {@code {"budget": "0.1", "leaks": "5s"}},
 * in the place of what it was started with, which holds again for what isn't ordered any more. A wrong one is a
 * problem, and the others hold.
 */
final class SettingOrder implements Order {
    private static final int LONGEST = 280;

    private final AgentConfig started;
    private final BiFunction<AgentConfig, AgentConfig, List<String>> change;
    private volatile AgentConfig now;
    private volatile String standing = "as started";

    /**
     * @param change brings the agent from the one to the other, and says what is in the way; called by the orders'
     *     thread
     */
    SettingOrder(AgentConfig started, BiFunction<AgentConfig, AgentConfig, List<String>> change) {
        this.started = started;
        this.now = started;
        this.change = change;
    }

    @Override
    public String kind() {
        return "settings";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) {
        List<String> problems = new ArrayList<>();
        StringJoiner taken = new StringJoiner(", ");
        AgentConfig changed = started;
        for (Map.Entry<String, Object> one : wanted.entrySet()) {
            String value = String.valueOf(one.getValue());
            try {
                changed = changed.ordered(one.getKey(), value);
                taken.add(one.getKey() + "=" + value);
            } catch (IllegalArgumentException wrong) {
                problems.add(shortened(String.valueOf(wrong.getMessage())));
            }
        }
        problems.addAll(change.apply(now, changed));
        now = changed;
        standing = taken.length() == 0 ? "as started" : taken.toString();
        return problems;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    @Override
    public String standing() {
        return standing;
    }

    /** All settings as they hold now; any thread. */
    List<ShownSetting> shown() {
        return now.shown();
    }

    /** The quota as it is written now; any thread. */
    String quota() {
        return now.quotaText();
    }
}
