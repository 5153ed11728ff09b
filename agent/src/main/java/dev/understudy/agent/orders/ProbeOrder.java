package dev.understudy.agent.orders;

import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stance;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.ProbePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code probes}: which probes are armed, and which are off, whatever the controller would like.
 *
 * <p>{@code {"rules": [{"pattern": "com.shop.*Cart#total", "stance": "armed"}]}}; of several rules that mean a probe the last one
 * decides. The controller keeps armed probes inside the budget all the same.
 */
public final class ProbeOrder implements Order {
    private final Governor governor;
    private final ProbeDirectory directory;
    private volatile List<Rule> rules = List.of();

    /** Orders the probes of {@code directory}, which {@code governor} arms. */
    public ProbeOrder(Governor governor, ProbeDirectory directory) {
        this.governor = governor;
        this.directory = directory;
    }

    @Override
    public String kind() {
        return "probes";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) {
        List<String> problems = new ArrayList<>();
        List<Rule> read = new ArrayList<>();
        Object all = wanted.get("rules");
        for (Object one : all instanceof List ? (List<?>) all : List.of()) {
            Map<?, ?> rule = one instanceof Map ? (Map<?, ?>) one : Map.of();
            Object pattern = rule.get("pattern");
            Object stance = rule.get("stance");
            if (pattern instanceof String && ("armed".equals(stance) || "off".equals(stance))) {
                read.add(new Rule((String) pattern, "armed".equals(stance) ? Stance.ARMED : Stance.OFF));
            } else {
                problems.add("a rule isn't understood: " + one + " (expected: pattern, and stance armed or off)");
            }
        }
        List<Rule> complete = List.copyOf(read);
        rules = complete;
        governor.stances(probe -> decide(complete, directory.probe(probe)));
        return problems;
    }

    @Override
    public String standing() {
        StringBuilder text = new StringBuilder();
        text.append(governor.count(Stance.ARMED)).append(" armed, ");
        text.append(governor.count(Stance.OFF)).append(" off");
        for (Rule rule : rules) {
            if (!rule.matched) {
                text.append(", ").append(rule.text).append(" matches none that is woven");
            }
        }
        return text.toString();
    }

    private static Stance decide(List<Rule> rules, Probe probe) {
        Stance stance = Stance.FREE;
        for (Rule rule : rules) {
            if (rule.pattern.matches(probe)) {
                rule.matched = true;
                stance = rule.stance;
            }
        }
        return stance;
    }

    private static final class Rule {
        final String text;
        final ProbePattern pattern;
        final Stance stance;
        volatile boolean matched;

        Rule(String text, Stance stance) {
            this.text = text;
            this.pattern = ProbePattern.of(text);
            this.stance = stance;
        }
    }
}
