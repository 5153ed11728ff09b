package dev.understudy.relay.config;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings that stand above the file: {@code --set window.memory=1GiB} first, then the environment variable {@code
 * UNDERSTUDY_WINDOW_MEMORY}.
 *
 * <p>A path names a setting as the file's nesting does, list items by their index: {@code listeners[0].listen}, in the
 * environment {@code UNDERSTUDY_LISTENERS_0_LISTEN}. Confined to the thread that reads the configuration.
 */
public final class Overrides {
    private static final String PREFIX = "UNDERSTUDY_";

    private final Map<String, String> environment;
    private final Map<String, String> flags = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();

    /**
     * Takes the process environment and the values of the {@code --set} flags.
     *
     * @param environment variable names to values; only names that begin with {@code UNDERSTUDY_} are looked at
     * @param sets {@code path=value} each; anything else is a problem
     * @param problems receives malformed flags
     */
    public Overrides(Map<String, String> environment, List<String> sets, Problems problems) {
        this.environment = environment;
        for (String set : sets) {
            int equals = set.indexOf('=');
            if (equals < 1) {
                problems.add("--set " + set, "(expected: path=value, e.g. window.memory=1GiB)");
            } else {
                flags.put(
                        set.substring(0, equals).trim(),
                        set.substring(equals + 1).trim());
            }
        }
    }

    @Nullable
    Given lookup(String path) {
        asked.add(path);
        String flag = flags.get(path);
        if (flag != null) {
            return new Given("--set " + path, flag);
        }
        String variable = PREFIX + variableOf(path);
        String value = environment.get(variable);
        return value == null ? null : new Given(variable, value);
    }

    void reportUnknown(Problems problems) {
        for (String path : flags.keySet()) {
            if (!asked.contains(path)) {
                problems.add("--set " + path, "unknown setting" + Nearest.hint(path, asked));
            }
        }
    }

    private static String variableOf(String path) {
        return path.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    }

    /** A value from above the file, and the place that a problem with it names. */
    record Given(String place, String value) {}
}
