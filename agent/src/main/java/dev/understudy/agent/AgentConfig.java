package dev.understudy.agent;

import dev.understudy.agent.budget.Quota;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the operator told the agent, in {@code -javaagent:…=key=value,key=value} or as {@code UNDERSTUDY_AGENT_KEY} in
 * the environment; an argument wins. Immutable; right once it exists.
 */
final class AgentConfig {
    private static final String PREFIX = "UNDERSTUDY_AGENT_";
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([sm])");
    private static final Pattern ONE_IN = Pattern.compile("1/([1-9]\\d{0,5})");
    private static final Pattern QUOTA = Pattern.compile("(\\d{1,2}|100)/(.+)");
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3})(KiB|MiB)");
    private static final int LEAST_RING = 64 * 1024;
    private static final int MOST_RING = 1 << 30;
    private static final List<String> MEASURES = List.of("wall", "cpu", "alloc", "counters");
    private static final int MOST_DEEP = 200;
    private static final Map<String, String> DEFAULTS = defaults();

    private final Map<String, String> values;
    private final double budget;
    private final double stacks;
    private final int deep;
    private final Duration leaks;
    private final int oneIn;

    private AgentConfig(Map<String, String> values, double budget, double stacks, int deep, Duration leaks, int oneIn) {
        this.values = values;
        this.budget = budget;
        this.stacks = stacks;
        this.deep = deep;
        this.leaks = leaks;
        this.oneIn = oneIn;
    }

    /**
     * Reads the agent's arguments over the environment.
     *
     * @throws IllegalArgumentException with all problems, one a line
     */
    static AgentConfig of(String arguments, Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
        for (String key : DEFAULTS.keySet()) {
            String value = environment.get(PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_'));
            if (value != null) {
                values.put(key, value.trim());
            }
        }
        for (String pair : arguments.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = (equals < 0 ? pair : pair.substring(0, equals)).trim();
            if (key.isEmpty()) {
                continue;
            }
            if (!DEFAULTS.containsKey(key)) {
                problems.add(key + ": unknown (did you mean " + nearest(key) + "?)");
            } else if (equals < 0) {
                problems.add(key + ": has no value (expected: " + key + "=value)");
            } else {
                values.put(key, pair.substring(equals + 1).trim());
            }
        }
        double budget = number("budget", "cores", 64, values, problems);
        double stacks = number("stacks", "times a second", 1000, values, problems);
        Duration leaks = leaks(values.getOrDefault("leaks", ""), problems);
        int deep = deep(values.getOrDefault("deep", ""), problems);
        int oneIn = oneIn(values.getOrDefault("sampling", ""), problems);
        quota(values.getOrDefault("quota", ""), problems);
        measure(values.getOrDefault("measure", ""), problems);
        ringBytes(values.getOrDefault("ring-size", ""), problems);
        flag("debug", values, problems);
        oneOf("values", List.of("on", "off"), values, problems);
        oneOf("locks", List.of("on", "off"), values, problems);
        flag("executors", values, problems);
        oneOf("clock", List.of("real", "lag"), values, problems);
        url("sidecar", values, problems);
        url("otlp", values, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new AgentConfig(values, budget, stacks, deep, leaks, oneIn);
    }

    /** The sidecar's control URL, without a slash at its end. */
    String sidecar() {
        return value("sidecar");
    }

    /** The token of the sidecar's control port; empty if it needs none. */
    String token() {
        return value("token");
    }

    /** The packages to weave; empty means the application's own code. */
    List<String> packages() {
        return names("packages");
    }

    /** The packages or classes whose branches are told of from the start, as far as {@link #deep} allows. */
    List<String> branches() {
        return names("branches");
    }

    /** How many classes may have their branches told of at a time; 0 for none. */
    int deep() {
        return deep;
    }

    /** Whether values are told of as well, where branches are. */
    boolean values() {
        return value("values").equals("on");
    }

    /** Whether it is told where locks are taken, how long for, and in which order. */
    boolean locks() {
        return value("locks").equals("on");
    }

    /** The name of the service in traces. */
    String service() {
        return value("service");
    }

    /** The largest share of one core spent on probes. */
    double budget() {
        return budget;
    }

    /** Of how many calls and exchanges one is sampled, whatever the window says; 0 if the budget decides. */
    int oneIn() {
        return oneIn;
    }

    /** How often a second the stacks of threads that serve exchanges are taken at most; 0 for never. */
    double stacks() {
        return stacks;
    }

    /** What is measured of some sampled calls beside the time they take: {@code cpu}, {@code alloc}, {@code counters}. */
    Set<String> measure() {
        Set<String> kinds = new LinkedHashSet<>(names("measure"));
        kinds.remove("wall");
        return kinds;
    }

    /** How many calls of each method are sampled in each interval, whatever their share of the budget is. */
    Quota quota() {
        return quota(quotaText(), new ArrayList<>());
    }

    /** The same, as it was set. */
    String quotaText() {
        return value("quota");
    }

    /** The file that keeps the latest of what the agent saw and decided; empty for none. */
    String ring() {
        return value("ring");
    }

    /** How large that file is, in bytes. */
    int ringBytes() {
        return ringBytes(value("ring-size"), new ArrayList<>());
    }

    /** Whether the application's clock is behind by as much as the debug JVM is. */
    boolean clockLags() {
        return value("clock").equals("lag");
    }

    /** Whether a request is followed into the tasks that are handed to executors. */
    boolean executors() {
        return value("executors").equals("true");
    }

    /** Where OTLP goes, without {@code /v1/traces}. */
    String otlp() {
        return value("otlp").isEmpty() ? sidecar() + "/otlp" : value("otlp");
    }

    /** Whether any of the two is reached by HTTPS. */
    boolean encrypts() {
        return sidecar().startsWith("https") || otlp().startsWith("https");
    }

    /** The agent's name in its reports. */
    String name() {
        return value("name").isEmpty()
                ? service() + "-" + ProcessHandle.current().pid()
                : value("name");
    }

    /** The folder where woven classes are kept for the next start; empty if they aren't. */
    String cache() {
        return value("cache");
    }

    /** The least time from one count of live objects to the next; zero for none at all. */
    Duration leaks() {
        return leaks;
    }

    private List<String> names(String key) {
        List<String> names = new ArrayList<>(Arrays.asList(value(key).split("[;\\s]+")));
        names.removeIf(String::isEmpty);
        return names;
    }

    private String value(String key) {
        return values.getOrDefault(key, "");
    }

    private static Map<String, String> defaults() {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("debug", "false");
        defaults.put("sidecar", "http://127.0.0.1:9090");
        defaults.put("token", "");
        defaults.put("packages", "");
        defaults.put("branches", "");
        defaults.put("deep", "8");
        defaults.put("values", "on");
        defaults.put("locks", "on");
        defaults.put("service", "debug");
        defaults.put("budget", "0.20");
        defaults.put("sampling", "adaptive");
        defaults.put("otlp", "");
        defaults.put("name", "");
        defaults.put("cache", "");
        defaults.put("clock", "real");
        defaults.put("leaks", "off");
        defaults.put("stacks", "20");
        defaults.put("executors", "true");
        defaults.put("measure", "cpu;alloc");
        defaults.put("quota", "3/10s");
        defaults.put("ring", "");
        defaults.put("ring-size", "16MiB");
        return defaults;
    }

    /** The known key with the fewest letters to change. */
    private static String nearest(String key) {
        String nearest = "";
        int fewest = Integer.MAX_VALUE;
        for (String known : DEFAULTS.keySet()) {
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

    private static double number(
            String key, String unit, double most, Map<String, String> values, List<String> problems) {
        String value = values.getOrDefault(key, "");
        try {
            double number = Double.parseDouble(value);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        problems.add(key + ": " + value + " (expected: " + unit + ", 0 to " + (int) most + ")");
        return 0;
    }

    private static Duration leaks(String value, List<String> problems) {
        Duration time = value.equals("off") ? Duration.ZERO : time(value);
        if (time == null) {
            problems.add("leaks: " + value + " (expected: off, or a time such as 30s or 5m)");
            return Duration.ZERO;
        }
        return time;
    }

    /** Null if it is none. */
    private static @Nullable Duration time(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            return null;
        }
        long number = Long.parseLong(time.group(1));
        return time.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }

    private static int oneIn(String value, List<String> problems) {
        if (value.equals("adaptive")) {
            return 0;
        }
        Matcher part = ONE_IN.matcher(value);
        if (!part.matches()) {
            problems.add("sampling: " + value + " (expected: adaptive, or a part such as 1/100)");
            return 0;
        }
        return Integer.parseInt(part.group(1));
    }

    private static Quota quota(String value, List<String> problems) {
        Matcher quota = QUOTA.matcher(value);
        Duration interval = quota.matches() ? time(quota.group(2)) : null;
        if (interval != null) {
            return new Quota(Integer.parseInt(quota.group(1)), interval);
        }
        if (!value.equals("off")) {
            problems.add("quota: " + value + " (expected: off, or calls of a method and a time, such as 3/10s)");
        }
        return new Quota(0, Duration.ZERO);
    }

    private static int ringBytes(String value, List<String> problems) {
        Matcher size = SIZE.matcher(value);
        if (size.matches()) {
            long bytes = Long.parseLong(size.group(1)) * (size.group(2).equals("KiB") ? 1 << 10 : 1 << 20);
            if (bytes >= LEAST_RING && bytes <= MOST_RING) {
                return (int) bytes;
            }
        }
        problems.add("ring-size: " + value + " (expected: a size from 64KiB to 1024MiB, such as 16MiB)");
        return LEAST_RING;
    }

    private static void measure(String value, List<String> problems) {
        for (String kind : value.split("[;\\s]+", -1)) {
            if (!MEASURES.contains(kind)) {
                problems.add(
                        "measure: " + value + " (expected: wall, cpu, alloc, counters, with semicolons between them)");
                return;
            }
        }
    }

    private static int deep(String value, List<String> problems) {
        try {
            int deep = Integer.parseInt(value);
            if (deep >= 0 && deep <= MOST_DEEP) {
                return deep;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        problems.add("deep: " + value + " (expected: classes, 0 to " + MOST_DEEP + ")");
        return 0;
    }

    private static void flag(String key, Map<String, String> values, List<String> problems) {
        oneOf(key, List.of("true", "false"), values, problems);
    }

    private static void oneOf(String key, List<String> words, Map<String, String> values, List<String> problems) {
        String value = values.getOrDefault(key, "");
        if (!words.contains(value)) {
            problems.add(key + ": " + value + " (expected: " + String.join(" or ", words) + ")");
        }
    }

    private static void url(String key, Map<String, String> values, List<String> problems) {
        String value = values.getOrDefault(key, "");
        try {
            String scheme = URI.create(value).getScheme();
            if (value.isEmpty() || "http".equals(scheme) || "https".equals(scheme)) {
                values.put(key, value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
                return;
            }
        } catch (IllegalArgumentException notAUrl) {
            // reported below
        }
        problems.add(key + ": " + value + " (expected: http://host:port)");
    }
}
