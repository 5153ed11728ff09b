package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.OwnClasses;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where the objects of classes that grow are made: a few classes at a time have their constructors tell. Confined to one thread.
 *
 * <p>Arrays have no constructor, and of {@code java.lang} only {@link String} is woven, and that only while nothing else grows: almost
 * all compiled code depends on it. What grows beside them (a map's entries, a list's owner) leads to the same methods.
 */
public final class AllocationSites {
    private static final int MOST_CLASSES = 6;
    /** For so many counts a class that is no candidate any more is watched on. */
    private static final int PATIENCE = 8;

    private static final String LAST_RESORT = String.class.getName();

    private final Instrumentation instrumentation;
    private final ConstructorTransformer transformer;
    private final Map<String, Survivors> watched = new LinkedHashMap<>();
    private final Map<String, Integer> idle = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /** Weaves through {@code transformer}, which is installed. */
    public AllocationSites(Instrumentation instrumentation, ConstructorTransformer transformer) {
        this.instrumentation = instrumentation;
        this.transformer = transformer;
    }

    /** Leaves out the classes of the agent itself, and arrays of those. */
    void leaveOutOurs(Map<String, Long> objects) {
        Set<String> ours = new HashSet<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (isOurs(loaded)) {
                ours.add(loaded.getName());
            }
        }
        objects.keySet().removeIf(name -> ours.contains(name.replace("[]", "")));
    }

    /**
     * Live objects were just counted, behind a full collection.
     *
     * @param candidates the classes that seem to grow, the most suspicious first
     */
    void counted(List<String> candidates) {
        watched.values().forEach(Survivors::counted);
        watched.keySet().forEach(name -> idle.merge(name, 1, Integer::sum));
        candidates.forEach(name -> idle.put(name, 0));
        Set<String> changed = new HashSet<>();
        for (Iterator<String> all = watched.keySet().iterator(); all.hasNext(); ) {
            String name = all.next();
            if (idle.getOrDefault(name, 0) > PATIENCE) {
                Allocations.set(Objects.requireNonNull(numbers.get(name)), null);
                all.remove();
                changed.add(name);
            }
        }
        for (String name : chosen(candidates)) {
            changed.add(name);
            int number = numbers.computeIfAbsent(name, first -> numbers.size());
            Survivors survivors = new Survivors(
                    name,
                    AllocationSites::isApplications,
                    AllocationSites::isOurs,
                    Thread.currentThread().getThreadGroup());
            survivors.warm();
            watched.put(name, survivors);
            Allocations.set(number, survivors);
        }
        idle.keySet().retainAll(watched.keySet());
        if (!changed.isEmpty()) {
            weave(changed);
        }
    }

    private List<String> chosen(List<String> candidates) {
        List<String> chosen = new ArrayList<>();
        for (String name : candidates) {
            boolean numbered = numbers.containsKey(name) || numbers.size() + chosen.size() < Allocations.CAPACITY;
            if (!watched.containsKey(name)
                    && isWatchable(name)
                    && numbered
                    && watched.size() + chosen.size() < MOST_CLASSES) {
                chosen.add(name);
            }
        }
        if (chosen.isEmpty() && watched.isEmpty() && candidates.contains(LAST_RESORT)) {
            chosen.add(LAST_RESORT);
        }
        return chosen;
    }

    private static boolean isWatchable(String name) {
        return !name.endsWith("[]") && !name.startsWith("java.lang.") && !name.contains("/") && !name.startsWith("<");
    }

    private static boolean isApplications(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && loader != ClassLoader.getPlatformClassLoader() && !isOurs(type);
    }

    private static boolean isOurs(Class<?> type) {
        return type.getClassLoader() == AllocationSites.class.getClassLoader() || OwnClasses.has(type);
    }

    private void weave(Set<String> changed) {
        Map<String, Integer> classes = new HashMap<>();
        watched.keySet()
                .forEach(name -> classes.put(name.replace('.', '/'), Objects.requireNonNull(numbers.get(name))));
        transformer.watch(classes);
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (changed.contains(loaded.getName()) && !isOurs(loaded) && instrumentation.isModifiableClass(loaded)) {
                batch.add(loaded);
            }
        }
        for (Class<?> one : batch) {
            try {
                instrumentation.retransformClasses(one);
            } catch (UnmodifiableClassException | LinkageError | RuntimeException refused) {
                // no site of its objects is told
            }
        }
    }

    /** What is known of where a class's objects are made that stay, the most first. */
    List<Site> of(String className) {
        Survivors survivors = watched.get(className);
        return survivors == null ? List.of() : survivors.sites();
    }
}
