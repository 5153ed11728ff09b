package dev.understudy.agent.orders;

import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stance;
import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.reach.Reached;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.ProbePattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code probes}: which probes are armed, and which are off, whatever the controller would like.
 *
 * <p>{@code {"rules": [{"pattern": "com.shop.*Cart#total", "stance": "armed"}]}}; of several rules that mean a probe
 * the last one decides. The controller keeps armed probes inside the budget all the same. The pattern
 * {@code from:com.shop.CartServlet#doGet} means all that can be called from there, in however many steps.
 */
public final class ProbeOrder implements Order {
    private final Governor governor;
    private final ProbeDirectory directory;
    private final Reachability reachability;
    private volatile List<Rule> rules = List.of();

    /** Orders the probes of {@code directory}, which {@code governor} arms. */
    public ProbeOrder(Governor governor, ProbeDirectory directory, Reachability reachability) {
        this.governor = governor;
        this.directory = directory;
        this.reachability = reachability;
        reachability.whenChanged(this::decide);
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
        Set<String> roots = new HashSet<>();
        for (Rule rule : read) {
            if (rule.from != null) {
                roots.add(rule.from);
            }
        }
        reachability.ask(kind(), roots);
        rules = List.copyOf(read);
        decide();
        return problems;
    }

    private void decide() {
        List<Rule> complete = rules;
        governor.stances(probe -> decide(complete, directory.probe(probe)));
    }

    @Override
    public String standing() {
        StringBuilder text = new StringBuilder();
        text.append(governor.count(Stance.ARMED)).append(" armed, ");
        text.append(governor.count(Stance.OFF)).append(" off");
        for (Rule rule : rules) {
            if (rule.from != null) {
                append(text.append(", ").append(rule.text), reachability.from(rule.from));
            } else {
                List<String> tooLarge = tooLarge(rule.pattern);
                if (!tooLarge.isEmpty()) {
                    append(text.append(", ").append(rule.text), tooLarge);
                } else if (!rule.matched) {
                    text.append(", ").append(rule.text).append(" matches none that is woven");
                }
            }
        }
        return text.toString();
    }

    private List<String> tooLarge(ProbePattern pattern) {
        List<String> found = new ArrayList<>();
        for (String method : directory.tooLarge()) {
            int hash = method.indexOf('#');
            if (pattern.matches(method.substring(0, hash), method.substring(hash + 1))) {
                found.add(method);
            }
        }
        return found;
    }

    private static void append(StringBuilder text, List<String> tooLarge) {
        text.append(" matches ").append(tooLarge.get(0));
        if (tooLarge.size() > 1) {
            text.append(" and ").append(tooLarge.size() - 1).append(" more");
        }
        text.append(", not woven since it would become too large for the JIT or the class file");
    }

    private void append(StringBuilder text, Reached reached) {
        text.append(" reaches ").append(reached.size()).append(reached.size() == 1 ? " method" : " methods");
        if (reached.notFollowed() > 0) {
            text.append(" and more: of ").append(reached.notFollowed()).append(" the calls weren't followed");
        }
        int unread = reachability.unread();
        if (unread > 0) {
            text.append(unread == 1 ? " (a class" : " (" + unread + " classes").append(" couldn't be read)");
        }
    }

    private Stance decide(List<Rule> rules, Probe probe) {
        Stance stance = Stance.FREE;
        for (Rule rule : rules) {
            if (rule.from == null ? rule.pattern.matches(probe) : reaches(rule.from, probe)) {
                rule.matched = true;
                stance = rule.stance;
            }
        }
        return stance;
    }

    private boolean reaches(String from, Probe probe) {
        return reachability.from(from).contains(probe.toString());
    }

    private static final class Rule {
        final String text;
        /** From where everything is meant that can be reached; null if the pattern itself is. */
        final @Nullable String from;

        final ProbePattern pattern;
        final Stance stance;
        volatile boolean matched;

        Rule(String text, Stance stance) {
            this.text = text;
            this.from = Reachability.root(text);
            this.pattern = ProbePattern.of(text);
            this.stance = stance;
        }
    }
}
