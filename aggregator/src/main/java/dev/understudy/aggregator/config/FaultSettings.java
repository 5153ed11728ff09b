package dev.understudy.aggregator.config;

import dev.understudy.aggregator.config.UpstreamConfig.Protocol;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.FaultRule;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.policy.FormPattern;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads rules about faults: from the configuration, from a schedule, and from what the control port is sent, all alike.
 *
 * @param protocols of each upstream that there is
 */
public record FaultSettings(Map<String, Protocol> protocols) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final FaultRule PLACEHOLDER =
            new FaultRule("placeholder", "placeholder", null, 100, 0, Duration.ZERO, null, new Fault.Reset());

    /** Reads a schedule: a file with a list {@code faults}. */
    public List<FaultRule> schedule(Path file) {
        Problems problems = new Problems();
        return YamlFile.read(file, new Overrides(Map.of(), List.of(), problems), problems, this::list);
    }

    /** Reads a list {@code faults} from a text. */
    public List<FaultRule> list(String name, String text) {
        return YamlFile.read(name, text, this::list);
    }

    /** Reads one rule from a text. */
    public FaultRule rule(String rule, String name, String text) {
        return YamlFile.read(name, text, top -> top.build(section -> rule(section, rule), PLACEHOLDER));
    }

    /** Reads the list {@code faults} of a section; an absent one is an empty one. */
    List<FaultRule> list(Section top) {
        List<Section> sections = top.sections("faults");
        if (sections.size() > Faults.MOST) {
            top.problem("faults: " + sections.size() + " (expected: at most " + Faults.MOST + ")");
        }
        List<FaultRule> rules = sections.stream()
                .map(item -> item.build(section -> rule(section, null), PLACEHOLDER))
                .toList();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < rules.size(); i++) {
            if (!names.add(rules.get(i).name())) {
                sections.get(i).problem("name: " + rules.get(i).name() + " (expected: a name of its own)");
            }
        }
        return rules;
    }

    private FaultRule rule(Section section, @Nullable String given) {
        String upstream = section.required("upstream", upstream());
        Fault.Kind kind = section.required("fault", Value.choice(Fault.Kind.class));
        String ours = (upstream + "-" + kind.word()).replaceAll("[^A-Za-z0-9._-]", "-");
        String name = given != null ? given : section.optional("name", name(), ours);
        return new FaultRule(
                checked(name),
                upstream,
                section.has("form") ? section.required("form", form()) : null,
                section.optional("percent", percent(), 100.0),
                section.optional("seed", new Value<>("a whole number", Long::valueOf, 0L), 0L),
                section.optional("at", Value.duration(), Duration.ZERO),
                section.has("for") ? section.required("for", Value.duration()) : null,
                fault(section, kind, protocols.getOrDefault(upstream, Protocol.HTTP)));
    }

    private static Fault fault(Section section, Fault.Kind kind, Protocol protocol) {
        if (kind == Fault.Kind.ERROR && protocol == Protocol.TCP) {
            section.problem("fault: error (expected: latency, reset, black-hole …, as tcp knows no errors)");
        }
        return switch (kind) {
            case LATENCY ->
                new Fault.Latency(
                        section.required("delay", Value.duration()),
                        section.optional("jitter", Value.duration(), Duration.ZERO));
            case BANDWIDTH -> new Fault.Bandwidth(section.required("rate", Value.bytes()));
            case ERROR ->
                new Fault.ErrorReply(
                        section.optional("code", code(protocol), code(protocol).placeholder()),
                        section.optional("message", message(), "a fault on purpose"));
            case RESET -> new Fault.Reset();
            case BLACK_HOLE -> new Fault.BlackHole();
            case SLOW_CLOSE -> new Fault.SlowClose(section.required("delay", Value.duration()));
        };
    }

    private Value<String> upstream() {
        String known = String.join(", ", protocols.keySet());
        return new Value<>("one of " + known, raw -> check(raw, protocols.containsKey(raw)), "placeholder");
    }

    /** What an error of this protocol begins with; as the default a word that no server uses. */
    private static Value<String> code(Protocol protocol) {
        return switch (protocol) {
            case MYSQL, POSTGRES -> matching("an SQLSTATE such as 40001", "[0-9A-Z]{5}", "UD002");
            case REDIS -> matching("the first word of an error such as LOADING", "[A-Z]{1,32}", "FAULT");
            case TCP -> matching("none", "", "");
            case HTTP -> matching("a status from 400 to 599", "[45][0-9]{2}", "503");
        };
    }

    private static Value<String> matching(String expected, String regex, String placeholder) {
        return new Value<>(expected, raw -> check(raw, raw.matches(regex)), placeholder);
    }

    private static Value<String> message() {
        return new Value<>(
                "one line of at most 200 characters", raw -> check(raw, raw.matches("[^\\p{Cntrl}]{0,200}")), "");
    }

    private static Value<FormPattern> form() {
        return new Value<>(
                "a pattern such as GET /price*, or /^(GET|HEAD) / as a regular expression",
                FormPattern::of,
                FormPattern.of("*"));
    }

    private static Value<Double> percent() {
        return new Value<>(
                "above 0, to 100",
                raw -> {
                    double percent = Double.parseDouble(raw);
                    check(raw, percent > 0 && percent <= 100);
                    return percent;
                },
                100.0);
    }

    private static Value<String> name() {
        return new Value<>("letters, digits, . _ and -, at most 64", FaultSettings::checked, "placeholder");
    }

    private static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name: " + name + " (expected: letters, digits, . _ and -, at most 64)");
        }
        return name;
    }

    private static String check(String raw, boolean right) {
        if (!right) {
            throw new IllegalArgumentException(raw);
        }
        return raw;
    }
}
