package dev.understudy.agent;

import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.reach.Reached;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.ProbePattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which classes are asked to the second level, and by whom: by the operator's patterns, which mean probes as those that
 * arm them do and so those probes' classes, also of classes that come later; by the sidecar's search; by the settings.
 * Guarded by this.
 */
final class AskedClasses {
    private static final int LONGEST_SHOWN = 80;

    private final ProbeDirectory probes;
    private final Reachability reachability;
    private final ApplicationCode named;
    private final Set<String> ordered = new LinkedHashSet<>();
    private final Set<String> found = new LinkedHashSet<>();
    private List<Rule> rules = List.of();
    private List<String> searched = List.of();
    private int probesSeen = 1;
    private int rulesSaw = 1;

    /** Who asks. */
    enum By {
        OPERATOR,
        SEARCH,
        SETTINGS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param named what the settings ask for */
    AskedClasses(ProbeDirectory probes, Reachability reachability, ApplicationCode named) {
        this.probes = probes;
        this.reachability = reachability;
        this.named = named;
    }

    /**
     * From now on these patterns hold, and these classes are the search's, the most important first; what is no pattern
     * is a problem.
     */
    List<String> ask(@Nullable Object patterns, List<String> classes) {
        List<String> problems = new ArrayList<>();
        List<Rule> read = new ArrayList<>();
        Set<String> roots = new HashSet<>();
        if (patterns != null && !(patterns instanceof List)) {
            problems.add("patterns aren't understood: " + shortened(patterns) + " (expected: a list)");
        }
        for (Object one : patterns instanceof List ? (List<?>) patterns : List.of()) {
            if (one instanceof String && !((String) one).isEmpty()) {
                Rule rule = new Rule((String) one);
                read.add(rule);
                if (rule.from != null) {
                    roots.add(rule.from);
                }
            } else {
                problems.add(
                        "a pattern isn't understood: " + shortened(one) + " (expected: com.shop.*Cart or the like)");
            }
        }
        reachability.ask("deepen", roots);
        follow(read, classes);
        return problems;
    }

    private static String shortened(Object value) {
        String text = String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    }

    private synchronized void follow(List<Rule> read, List<String> classes) {
        rules = List.copyOf(read);
        searched = List.copyOf(classes);
        ordered.clear();
        rulesSaw = 1;
        seek();
    }

    /** Each class that is asked for and who asks, the operator's before the search's and those before the settings'. */
    synchronized Map<String, By> now() {
        seek();
        Map<String, By> now = new LinkedHashMap<>();
        ordered.forEach(name -> now.put(name, By.OPERATOR));
        searched.forEach(name -> now.putIfAbsent(name, By.SEARCH));
        found.forEach(name -> now.putIfAbsent(name, By.SETTINGS));
        return now;
    }

    /** Whether the operator asks for anything. */
    synchronized boolean isOrdered() {
        return !rules.isEmpty();
    }

    /** The operator's patterns that mean nothing that is woven. */
    synchronized List<String> unmatched() {
        seek();
        List<String> unmatched = new ArrayList<>();
        for (Rule rule : rules) {
            if (!rule.matched) {
                unmatched.add(rule.text);
            }
        }
        return unmatched;
    }

    private void seek() {
        for (Rule rule : rules) {
            if (rule.reachesOther()) {
                rulesSaw = 1;
            }
        }
        int count = probes.probes();
        for (; rulesSaw < count; rulesSaw++) {
            Probe probe = probes.probe(rulesSaw);
            for (Rule rule : rules) {
                if (rule.means(probe)) {
                    rule.matched = true;
                    ordered.add(probe.className());
                }
            }
        }
        for (; probesSeen < count; probesSeen++) {
            String name = probes.probe(probesSeen).className();
            if (named.owns(name.replace('.', '/'), null)) {
                found.add(name);
            }
        }
    }

    private final class Rule {
        final String text;
        /** From where everything is meant that can be reached; null if the pattern itself is. */
        final @Nullable String from;

        private final ProbePattern pattern;
        private @Nullable Reached reached;
        boolean matched;

        Rule(String text) {
            this.text = text;
            this.from = Reachability.root(text);
            this.pattern = ProbePattern.of(text);
        }

        /** Whether it may mean more probes than when it was asked last. */
        boolean reachesOther() {
            if (from == null) {
                return false;
            }
            Reached before = reached;
            reached = reachability.from(from);
            return reached != before;
        }

        boolean means(Probe probe) {
            return reached == null ? pattern.matches(probe) : reached.contains(probe.toString());
        }
    }
}
