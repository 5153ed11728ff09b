package dev.understudy.sidecar.steer;

import dev.understudy.relay.config.Value;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order {@code settings}: settings of agents that the operator changes while their JVMs run. Which there are, and
 * what they may be, is for the agents to say; but for how long the window is wanted to last, which the sidecar tells
 * them anyway. For any threads, guarded by this.
 */
public final class SettingOrders {
    /** The sidecar's own setting among them. */
    static final String WANTED = "window.wanted";

    private static final String KIND = "settings";
    private static final int MOST = 50;
    private static final int LONGEST_VALUE = 200;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z-]{0,39}");

    private final Orders orders;
    private final Duration configured;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Duration wanted;

    /**
     * @param configured how long the window is wanted to last unless something else is ordered; zero if that isn't
     *     wanted
     */
    public SettingOrders(Orders orders, Duration configured) {
        this.orders = orders;
        this.configured = configured;
    }

    /**
     * Orders some, and takes others back.
     *
     * @throws IllegalArgumentException if one can't be a setting, isn't ordered, or they are too many; then nothing is
     *     changed
     */
    public synchronized void order(Map<String, String> set, List<String> reset) {
        Map<String, String> changed = new LinkedHashMap<>(settings);
        Duration window = wanted;
        for (String name : reset) {
            boolean was = name.equals(WANTED) ? window != null : changed.remove(name) != null;
            window = name.equals(WANTED) ? null : window;
            if (!was) {
                throw new IllegalArgumentException("reset: " + name + " isn't ordered (expected: "
                        + (settings.isEmpty() ? "nothing, since nothing is" : String.join(", ", settings.keySet()))
                        + ")");
            }
        }
        for (Map.Entry<String, String> one : set.entrySet()) {
            if (one.getKey().equals(WANTED)) {
                window = window(one.getValue());
            } else {
                expect(one.getKey(), one.getValue());
                changed.put(one.getKey(), one.getValue());
            }
        }
        if (changed.size() > MOST) {
            throw new IllegalArgumentException(
                    "settings: " + changed.size() + " (expected: at most " + MOST + "; reset some)");
        }
        settings.clear();
        settings.putAll(changed);
        wanted = window;
        tell();
    }

    /** Takes all of them back. */
    public synchronized void reset() {
        settings.clear();
        wanted = null;
        tell();
    }

    /** How long the window is wanted to last now; zero if that isn't wanted. */
    public synchronized Duration wanted() {
        return wanted == null ? configured : wanted;
    }

    private static void expect(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    name + ": no setting (expected: a name such as budget, or " + WANTED + ")");
        }
        if (value.length() > LONGEST_VALUE || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    name + ": no value (expected: a line of at most " + LONGEST_VALUE + " characters)");
        }
    }

    private static Duration window(String value) {
        try {
            return Value.durationOrNone().parse().apply(value);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    WANTED + ": " + value + " (expected: "
                            + Value.durationOrNone().expected() + ")",
                    wrong);
        }
    }

    private void tell() {
        orders.order(KIND, settings.isEmpty() ? null : Map.copyOf(settings));
    }
}
