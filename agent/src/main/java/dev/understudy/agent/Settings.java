package dev.understudy.agent;

import dev.understudy.agent.budget.Quota;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings as they are written, and how each kind of them is read; what is wrong is kept until {@link #values}. */
final class Settings {
    private static final String PREFIX = "UNDERSTUDY_AGENT_";
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([sm])");
    private static final Pattern ONE_IN = Pattern.compile("1/([1-9]\\d{0,5})");
    private static final Pattern QUOTA = Pattern.compile("(\\d{1,2}|100)/(.+)");
    private static final Pattern FIELD = Pattern.compile("\\p{L}[\\p{L}\\p{N}_-]{0,63}");
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3})(KiB|MiB)");

    private final Map<String, String> values;
    private final Map<String, String> origins;
    private final List<String> problems = new ArrayList<>();

    private Settings(Map<String, String> values, Map<String, String> origins) {
        this.values = new LinkedHashMap<>(values);
        this.origins = new LinkedHashMap<>(origins);
    }

    /** The defaults, over them the environment, over that the agent's arguments. */
    static Settings of(Map<String, String> defaults, String arguments, Map<String, String> environment) {
        Settings settings = new Settings(defaults, Map.of());
        for (String key : defaults.keySet()) {
            String value = environment.get(PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_'));
            if (value != null) {
                settings.put(key, value.trim(), "environment");
            }
        }
        for (String pair : arguments.split(",", -1)) {
            settings.take(pair, defaults.keySet());
        }
        return settings;
    }

    private void take(String pair, Set<String> known) {
        int equals = pair.indexOf('=');
        String key = (equals < 0 ? pair : pair.substring(0, equals)).trim();
        if (key.isEmpty()) {
            return;
        }
        if (!known.contains(key)) {
            problems.add(unknown(key, known));
        } else if (equals < 0) {
            problems.add(key + ": has no value (expected: " + key + "=value)");
        } else {
            put(key, pair.substring(equals + 1).trim(), "argument");
        }
    }

    private void put(String key, String value, String origin) {
        values.put(key, value);
        origins.put(key, origin);
    }

    /** Settings as they were read before, over them what the operator orders of one while the JVM runs. */
    static Settings ordered(Map<String, String> values, Map<String, String> origins, String key, String value) {
        Settings settings = new Settings(values, origins);
        settings.put(key, value.trim(), "order");
        return settings;
    }

    /** Where values come from that aren't the defaults, by their names. */
    Map<String, String> origins() {
        return origins;
    }

    /**
     * All settings, by their names.
     *
     * @throws IllegalArgumentException with all problems, one a line
     */
    Map<String, String> values() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return values;
    }

    /** A number from 0 on. */
    double number(String key, String unit, double most) {
        String value = value(key);
        try {
            double number = Double.parseDouble(value);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        wrong(key, unit + ", 0 to " + (int) most);
        return 0;
    }

    /** A whole number from 0 on. */
    int count(String key, String unit, int most) {
        try {
            int count = Integer.parseInt(value(key));
            if (count >= 0 && count <= most) {
                return count;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        wrong(key, unit + ", 0 to " + most);
        return 0;
    }

    /** A time; zero for {@code off}. */
    Duration timeOrOff(String key) {
        Duration time = value(key).equals("off") ? Duration.ZERO : parsed(value(key));
        if (time == null) {
            wrong(key, "off, or a time such as 30s or 5m");
            return Duration.ZERO;
        }
        return time;
    }

    /** A time. */
    Duration time(String key) {
        Duration time = parsed(value(key));
        if (time == null) {
            wrong(key, "a time such as 2s or 1m");
            return Duration.ZERO;
        }
        return time;
    }

    /** Null if it is none. */
    private static @Nullable Duration parsed(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            return null;
        }
        long number = Long.parseLong(time.group(1));
        return time.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }

    /** One in how many; 0 for {@code adaptive}. */
    int sampling(String key) {
        if (value(key).equals("adaptive")) {
            return 0;
        }
        Matcher part = ONE_IN.matcher(value(key));
        if (!part.matches()) {
            wrong(key, "adaptive, or a part such as 1/100");
            return 0;
        }
        return Integer.parseInt(part.group(1));
    }

    /** So many in a time, or {@code off}. */
    void quotaOrOff(String key) {
        Matcher quota = QUOTA.matcher(value(key));
        if (!value(key).equals("off") && (!quota.matches() || parsed(quota.group(2)) == null)) {
            wrong(key, "off, or calls of a method and a time, such as 3/10s");
        }
    }

    /** What such a setting means; none for {@code off}. */
    static Quota quota(String value) {
        Matcher quota = QUOTA.matcher(value);
        Duration interval = quota.matches() ? parsed(quota.group(2)) : null;
        return interval == null ? new Quota(0, Duration.ZERO) : new Quota(Integer.parseInt(quota.group(1)), interval);
    }

    /** A size in bytes. */
    int bytes(String key, int least, int most) {
        Matcher size = SIZE.matcher(value(key));
        if (size.matches()) {
            long bytes = Long.parseLong(size.group(1)) * (size.group(2).equals("KiB") ? 1 << 10 : 1 << 20);
            if (bytes >= least && bytes <= most) {
                return (int) bytes;
            }
        }
        wrong(key, "a size from " + (least >> 10) + "KiB to " + (most >> 20) + "MiB, such as 16MiB");
        return least;
    }

    /** Some of these words. */
    void several(String key, List<String> words) {
        for (String word : value(key).split("[;\\s]+", -1)) {
            if (!words.contains(word)) {
                wrong(key, String.join(", ", words) + ", with semicolons between them");
                return;
            }
        }
    }

    /** Names of fields, or none. */
    void fieldNames(String key) {
        for (String name : value(key).split("[;\\s]+", -1)) {
            if (!name.isEmpty() && !FIELD.matcher(name).matches()) {
                wrong(key, "names of fields, with semicolons between them");
                return;
            }
        }
    }

    /** One of these words. */
    void oneOf(String key, List<String> words) {
        if (!words.contains(value(key))) {
            wrong(key, String.join(" or ", words));
        }
    }

    void flag(String key) {
        oneOf(key, List.of("true", "false"));
    }

    /** An HTTP URL, or none; a slash at its end is taken away. */
    void url(String key) {
        String value = value(key);
        try {
            String scheme = URI.create(value).getScheme();
            if (value.isEmpty() || "http".equals(scheme) || "https".equals(scheme)) {
                values.put(key, value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
                return;
            }
        } catch (IllegalArgumentException notAUrl) {
            // reported below
        }
        wrong(key, "http://host:port");
    }

    private String value(String key) {
        return values.getOrDefault(key, "");
    }

    private void wrong(String key, String expected) {
        problems.add(key + ": " + value(key) + " (expected: " + expected + ")");
    }

    /** That no setting is called so, and what may have been meant. */
    static String unknown(String key, Set<String> known) {
        return key + ": unknown (did you mean " + nearest(key, known) + "?)";
    }

    /** The known key with the fewest letters to change. */
    private static String nearest(String key, Set<String> all) {
        String nearest = "";
        int fewest = Integer.MAX_VALUE;
        for (String known : all) {
            int distance = distance(key, known);
            if (distance < fewest) {
                fewest = distance;
                nearest = known;
            }
        }
        return nearest;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            int diagonal = i;
            for (int j = 0; j <= b.length(); j++) {
                int above = row[j];
                if (i == 0 || j == 0) {
                    row[j] = i + j;
                } else {
                    int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                    row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
                }
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
