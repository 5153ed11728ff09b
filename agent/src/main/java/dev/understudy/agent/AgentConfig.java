package dev.understudy.agent;

import dev.understudy.agent.budget.Quota;
import dev.understudy.agent.egress.EgressRules;
import dev.understudy.agent.export.ShownSetting;
import dev.understudy.agent.export.TlsSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the operator told the agent, in {@code -javaagent:…=key=value,key=value} or as {@code UNDERSTUDY_AGENT_KEY} in
 * the environment; an argument wins. Immutable; right once it exists.
 */
final class AgentConfig {
    private static final int LEAST_RING = 64 * 1024;
    private static final int MOST_RING = 1 << 30;
    private static final int MOST_ALLOCATIONS = 1000;
    private static final int MOST_DEEP = 200;

    /** All settings with what holds unless they are given; empty for nothing, or for what follows from others. */
    static final Map<String, String> DEFAULTS = defaults();

    /** Those that can be changed while the JVM runs. */
    static final List<String> CHANGEABLE = List.of(
            "budget",
            "lag",
            "sampling",
            "quota",
            "stacks",
            "leaks",
            "deep",
            "values",
            "measure",
            "allocations",
            "redact");

    /** Those that decide what becomes of classes, which they keep. */
    private static final Set<String> WOVEN = Set.of("packages", "locks", "clock", "executors");

    private static final Set<String> SECRET = Set.of("token", "aggregator-token", "keystore-password");
    private static final String USER_IN_URL = "//[^/@]*@";

    private final Map<String, String> values;
    private final Map<String, String> origins;
    private final double budget;
    private final double stacks;
    private final Duration lag;
    private final int allocations;
    private final int deep;
    private final Duration leaks;
    private final int oneIn;
    private final int ringBytes;

    private AgentConfig(
            Map<String, String> values,
            Map<String, String> origins,
            double budget,
            double stacks,
            Duration lag,
            int allocations,
            int deep,
            Duration leaks,
            int oneIn,
            int ringBytes) {
        this.values = values;
        this.origins = origins;
        this.budget = budget;
        this.stacks = stacks;
        this.lag = lag;
        this.allocations = allocations;
        this.deep = deep;
        this.leaks = leaks;
        this.oneIn = oneIn;
        this.ringBytes = ringBytes;
    }

    /**
     * Reads the agent's arguments over the environment.
     *
     * @throws IllegalArgumentException with all problems, one a line
     */
    static AgentConfig of(String arguments, Map<String, String> environment) {
        return read(AgentOptions.of(DEFAULTS, arguments, environment));
    }

    /**
     * The same, but for one setting that the operator orders.
     *
     * @throws IllegalArgumentException with what is wrong with that, also if it can't be changed any more
     */
    AgentConfig ordered(String key, String value) {
        if (!DEFAULTS.containsKey(key)) {
            throw new IllegalArgumentException(AgentOptions.unknown(key, DEFAULTS.keySet()));
        }
        if (!CHANGEABLE.contains(key)) {
            throw new IllegalArgumentException(key + ": can't be changed while the JVM runs"
                    + (WOVEN.contains(key) ? ", classes are woven by it as they are loaded" : "")
                    + " (expected: one of " + String.join(", ", CHANGEABLE)
                    + "; else start the JVM anew with " + key + "=…)");
        }
        return read(AgentOptions.ordered(values, origins, key, key.equals("redact") ? redactedToo(value) : value));
    }

    /** What is masked by the settings that the JVM was started with stays so, whatever is ordered. */
    private String redactedToo(String ordered) {
        Set<String> names = new LinkedHashSet<>(redact());
        names.addAll(AgentOptions.words(ordered));
        return String.join(";", names);
    }

    private static AgentConfig read(AgentOptions settings) {
        double budget = settings.number("budget", "cores", 64);
        double stacks = settings.number("stacks", "times a second", 1000);
        Duration lag = settings.time("lag");
        int allocations = settings.count("allocations", "samples a second", MOST_ALLOCATIONS);
        Duration leaks = settings.timeOrOff("leaks");
        int deep = settings.count("deep", "classes", MOST_DEEP);
        int oneIn = settings.sampling("sampling");
        settings.quotaOrOff("quota");
        settings.several("measure", List.of("wall", "cpu", "alloc", "counters"));
        int ringBytes = settings.bytes("ring-size", LEAST_RING, MOST_RING);
        settings.fieldNames("redact");
        settings.flag("debug");
        settings.oneOf("values", List.of("on", "off"));
        settings.oneOf("locks", List.of("on", "off"));
        settings.flag("executors");
        settings.oneOf("clock", List.of("real", "lag"));
        settings.url("sidecar");
        settings.url("otlp");
        settings.url("aggregator");
        settings.oneOf("egress", List.of("allow", "deny"));
        settings.destinations("egress-allow");
        settings.onlyWithHttps(List.of("ca", "keystore"), List.of("sidecar", "otlp", "aggregator"));
        return new AgentConfig(
                settings.values(), settings.origins(), budget, stacks, lag, allocations, deep, leaks, oneIn, ringBytes);
    }

    /** The sidecar's control URL, without a slash at its end. */
    String sidecar() {
        return value("sidecar");
    }

    /** The token of the sidecar's control port; empty if it needs none. */
    String token() {
        return value("token");
    }

    /**
     * The file of the key that the sidecar shows with that this is the debug JVM; empty if the operator says it
     * himself.
     */
    String keyfile() {
        return value("keyfile");
    }

    /** The packages to weave; empty means the application's own code. */
    List<String> packages() {
        return names("packages");
    }

    /** The packages or classes whose branches are told of from the start, as far as {@link #deep} allows. */
    List<String> branches() {
        return names("branches");
    }

    /** The names of fields, variables, keys and methods whose values aren't shown, whatever the sidecar says. */
    List<String> redact() {
        return names("redact");
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

    /** How far behind production the debug JVM may be before that costs it samples. */
    Duration lag() {
        return lag;
    }

    /** Of how many calls and exchanges one is sampled, whatever the window says; 0 if the budget decides. */
    int oneIn() {
        return oneIn;
    }

    /** How often a second the stacks of threads that serve exchanges are taken at most; 0 for never. */
    double stacks() {
        return stacks;
    }

    /** How many allocations are sampled in a second at most; 0 for none. */
    int allocations() {
        return allocations;
    }

    /**
     * What is measured of some sampled calls beside the time they take: {@code cpu}, {@code alloc}, {@code counters}.
     */
    Set<String> measure() {
        Set<String> kinds = new LinkedHashSet<>(names("measure"));
        kinds.remove("wall");
        return kinds;
    }

    /**
     * How many calls of each method are sampled in each interval, whatever their share of the budget is; a new one each
     * time.
     */
    Quota quota() {
        return AgentOptions.quota(quotaText()); // not before it is asked for: it needs the bootstrap part
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
        return ringBytes;
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

    /** The aggregator's control URL, without a slash at its end; empty if it isn't to know who makes calls. */
    String aggregator() {
        return value("aggregator");
    }

    /** The token of the aggregator's control port; empty if it needs none. */
    String aggregatorToken() {
        return value("aggregator-token");
    }

    /** How all of them are called, where one is reached by HTTPS. */
    TlsSettings tls() {
        boolean encrypts = sidecar().startsWith("https")
                || otlp().startsWith("https")
                || aggregator().startsWith("https");
        return new TlsSettings(encrypts, value("ca"), value("keystore"), value("keystore-password"));
    }

    /** The agent's name in its reports. */
    String name() {
        return value("name").isEmpty()
                ? service() + "-" + ProcessHandle.current().pid()
                : value("name");
    }

    /** Whether the application may connect to listed destinations only. */
    boolean deniesEgress() {
        return value("egress").equals("deny");
    }

    /** The same of settings that may be wrong, where nothing else came of them. */
    static boolean meansToDenyEgress(String arguments, Map<String, String> environment) {
        return !AgentOptions.of(DEFAULTS, arguments, environment)
                .value("egress")
                .equals("allow");
    }

    /** Where it may connect to then. */
    EgressRules egressRules() {
        return new EgressRules(
                AgentOptions.rules(value("egress-allow")), List.of(sidecar(), aggregator(), otlp()), aggregator());
    }

    /** The folder where woven classes are kept for the next start; empty if they aren't. */
    String cache() {
        return value("cache");
    }

    /** The least time from one count of live objects to the next; zero for none at all. */
    Duration leaks() {
        return leaks;
    }

    /** All of them but secrets, as they are shown. */
    List<ShownSetting> shown() {
        List<ShownSetting> shown = new ArrayList<>();
        for (String key : DEFAULTS.keySet()) {
            if (!SECRET.contains(key)) {
                String value = value(key).replaceAll(USER_IN_URL, "//…@");
                shown.add(new ShownSetting(key, value, origins.getOrDefault(key, "default"), CHANGEABLE.contains(key)));
            }
        }
        return shown;
    }

    private List<String> names(String key) {
        return AgentOptions.words(value(key));
    }

    private String value(String key) {
        return values.getOrDefault(key, "");
    }

    private static Map<String, String> defaults() {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("debug", "false");
        defaults.put("sidecar", "http://127.0.0.1:9090");
        defaults.put("token", "");
        defaults.put("keyfile", "");
        defaults.put("pid-namespace", "");
        defaults.put("aggregator", "");
        defaults.put("aggregator-token", "");
        defaults.put("egress", "allow");
        defaults.put("egress-allow", "");
        defaults.put("ca", "");
        defaults.put("keystore", "");
        defaults.put("keystore-password", "");
        defaults.put("packages", "");
        defaults.put("branches", "");
        defaults.put("deep", "8");
        defaults.put("values", "on");
        defaults.put("locks", "on");
        defaults.put("redact", "");
        defaults.put("service", "debug");
        defaults.put("budget", "0.20");
        defaults.put("lag", "1s");
        defaults.put("sampling", "adaptive");
        defaults.put("otlp", "");
        defaults.put("name", "");
        defaults.put("cache", "");
        defaults.put("clock", "real");
        defaults.put("leaks", "off");
        defaults.put("stacks", "20");
        defaults.put("allocations", "0");
        defaults.put("executors", "true");
        defaults.put("measure", "cpu;alloc");
        defaults.put("quota", "3/10s");
        defaults.put("ring", "");
        defaults.put("ring-size", "16MiB");
        return defaults;
    }
}
