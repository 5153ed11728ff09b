package dev.understudy.relay;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether no part of the code needs, by others, what needs it: said once for each part that does. */
final class OneWayImports extends ArchCondition<JavaClass> {
    private final Pattern parts;
    private final Map<String, Set<String>> needed = new TreeMap<>();

    /** @param parts of packages; its first group names the part, and what doesn't match is in none */
    OneWayImports(Pattern parts) {
        super("import one way between " + parts);
        this.parts = parts;
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        String from = part(item);
        for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
            String to = part(dependency.getTargetClass());
            if (!from.isEmpty() && !to.isEmpty() && !from.equals(to)) {
                needed.computeIfAbsent(from, part -> new TreeSet<>()).add(to);
            }
        }
    }

    @Override
    public void finish(ConditionEvents events) {
        for (String part : needed.keySet()) {
            Set<String> reached = new TreeSet<>();
            reach(part, reached);
            if (reached.contains(part)) {
                events.add(SimpleConditionEvent.violated(part, part + " needs itself by way of " + needed.get(part)));
            }
        }
    }

    private void reach(String from, Set<String> reached) {
        for (String to : needed.getOrDefault(from, Set.of())) {
            if (reached.add(to)) {
                reach(to, reached);
            }
        }
    }

    private String part(JavaClass type) {
        Matcher matcher = parts.matcher(type.getPackageName());
        return matcher.matches() ? matcher.group(1) : "";
    }
}
