package dev.understudy.agent;

import dev.understudy.agent.budget.Quota;
import dev.understudy.agent.egress.EgressRule;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings as they are written, and how each kind of them is read; what is wrong is kept until {@link #values}.
 *
 * <p>They are read before the application begins, so that nothing here needs regular expressions, streams or lambda
 * expressions, which take longer to get ready than to do all this.
 */
final class AgentOptions {
    private static final String PREFIX = "UNDERSTUDY_AGENT_";
    private static final int TIME_DIGITS = 5;
    private static final int ONE_IN_DIGITS = 6;
    private static final int SIZE_DIGITS = 4;
    private static final int MOST_QUOTA = 100;
    private static final int QUOTA_DIGITS = 3;
    private static final int FIELD_LENGTH = 64;

    private final Map<String, String> values;
    private final Map<String, String> origins;
    private final List<String> problems = new ArrayList<>();

    private AgentOptions(Map<String, String> values, Map<String, String> origins) {
        this.values = new LinkedHashMap<>(values);
        this.origins = new LinkedHashMap<>(origins);
    }

    /** The defaults, over them the environment, over that the agent's arguments. */
    static AgentOptions of(Map<String, String> defaults, String arguments, Map<String, String> environment) {
        AgentOptions settings = new AgentOptions(defaults, Map.of());
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
    static AgentOptions ordered(Map<String, String> values, Map<String, String> origins, String key, String value) {
        AgentOptions settings = new AgentOptions(values, origins);
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
        int number = value.isEmpty() ? 0 : natural(value.substring(0, value.length() - 1), TIME_DIGITS);
        if (number == 0 || !(value.endsWith("s") || value.endsWith("m"))) {
            return null;
        }
        return value.endsWith("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }

    /** One in how many; 0 for {@code adaptive}. */
    int sampling(String key) {
        if (value(key).equals("adaptive")) {
            return 0;
        }
        int part = value(key).startsWith("1/") ? natural(value(key).substring(2), ONE_IN_DIGITS) : 0;
        if (part == 0) {
            wrong(key, "adaptive, or a part such as 1/100");
        }
        return part;
    }

    /** So many in a time, or {@code off}. */
    void quotaOrOff(String key) {
        if (!value(key).equals("off") && (calls(value(key)) < 0 || interval(value(key)) == null)) {
            wrong(key, "off, or calls of a method and a time, such as 3/10s");
        }
    }

    /** What such a setting means; none for {@code off}. */
    static Quota quota(String value) {
        Duration interval = interval(value);
        return interval == null || calls(value) < 0 ? new Quota(0, Duration.ZERO) : new Quota(calls(value), interval);
    }

    /** Of a quota, how many calls; -1 if it isn't one. */
    private static int calls(String quota) {
        int slash = quota.indexOf('/');
        String calls = slash < 0 ? "" : quota.substring(0, slash);
        boolean zero = calls.equals("0") || calls.equals("00");
        int number = natural(calls.startsWith("0") ? calls.substring(1) : calls, QUOTA_DIGITS);
        return zero ? 0 : number == 0 || number > MOST_QUOTA || (calls.startsWith("0") && number > 9) ? -1 : number;
    }

    private static @Nullable Duration interval(String quota) {
        return parsed(quota.substring(quota.indexOf('/') + 1));
    }

    /** A size in bytes. */
    int bytes(String key, int least, int most) {
        String value = value(key);
        boolean kibi = value.endsWith("KiB");
        if (kibi || value.endsWith("MiB")) {
            long bytes =
                    (long) natural(value.substring(0, value.length() - 3), SIZE_DIGITS) * (kibi ? 1 << 10 : 1 << 20);
            if (bytes >= least && bytes <= most) {
                return (int) bytes;
            }
        }
        wrong(key, "a size from " + (least >> 10) + "KiB to " + (most >> 20) + "MiB, such as 16MiB");
        return least;
    }

    /** Some of these words. */
    void several(String key, List<String> words) {
        List<String> given = words(value(key));
        if (given.isEmpty() || !words.containsAll(given)) {
            wrong(key, String.join(", ", words) + ", with semicolons between them");
        }
    }

    /** Names of fields, or none. */
    void fieldNames(String key) {
        for (String name : words(value(key))) {
            if (!isField(name)) {
                wrong(key, "names of fields, with semicolons between them");
                return;
            }
        }
    }

    /** Destinations, or none. */
    void destinations(String key) {
        if (rules(value(key)).size() < words(value(key)).size()) {
            wrong(key, EgressRule.FORM);
        }
    }

    /** Those that are destinations. */
    static List<EgressRule> rules(String value) {
        List<EgressRule> rules = new ArrayList<>();
        for (String word : words(value)) {
            EgressRule rule = EgressRule.parse(word);
            if (rule != null) {
                rules.add(rule);
            }
        }
        return rules;
    }

    /** What stands between semicolons and white space. */
    static List<String> words(String value) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at <= value.length(); at++) {
            if (at == value.length() || value.charAt(at) == ';' || isSpace(value.charAt(at))) {
                if (at > from) {
                    words.add(value.substring(from, at));
                }
                from = at + 1;
            }
        }
        return words;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /** A letter, and then up to 63 letters, digits, underscores and dashes. */
    private static boolean isField(String name) {
        int length = name.codePointCount(0, name.length());
        boolean field = length <= FIELD_LENGTH && Character.isLetter(name.codePointAt(0));
        for (int at = 0; at < name.length() && field; at += Character.charCount(name.codePointAt(at))) {
            int c = name.codePointAt(at);
            field = Character.isLetter(c) || isNumber(c) || c == '_' || c == '-';
        }
        return field;
    }

    private static boolean isNumber(int c) {
        int type = Character.getType(c);
        return type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER;
    }

    /** The number from 1 on that is written with so many digits at most and none too much; 0 if none is. */
    private static int natural(String digits, int most) {
        boolean natural = !digits.isEmpty() && digits.length() <= most && digits.charAt(0) != '0';
        for (int at = 0; at < digits.length(); at++) {
            natural &= digits.charAt(at) >= '0' && digits.charAt(at) <= '9';
        }
        return natural ? Integer.parseInt(digits) : 0;
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

    /** These mean nothing unless one of {@code urls} is one of HTTPS: nobody is to believe otherwise. */
    void onlyWithHttps(List<String> keys, List<String> urls) {
        for (String url : urls) {
            if (value(url).startsWith("https:")) {
                return;
            }
        }
        for (String key : keys) {
            if (!value(key).isEmpty()) {
                wrong(key, "https:// in " + String.join(" or ", urls));
            }
        }
    }

    String value(String key) {
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
