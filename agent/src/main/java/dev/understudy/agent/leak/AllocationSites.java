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
import java.util.stream.Collectors;

/**
 * Where the objects of classes that grow are made: a few classes at a time have their constructors tell. Confined to one thread.
 *
 * <p>Arrays have no constructor. Of {@code java.lang} only the numbers that are keys of maps are woven, and {@link String}, that only
 * while nothing else grows that can be watched: almost all compiled code depends on it. What grows beside them (a map's entries, a
 * list's owner) leads to the same methods.
 */
public final class AllocationSites {
    private static final Set<String> NUMBERS = Set.of(Long.class.getName(), Integer.class.getName());
    private static final String LAST_RESORT = String.class.getName();

    private final Instrumentation instrumentation;
    private final ConstructorTransformer transformer;
    private final Map<String, Survivors> watched = new LinkedHashMap<>();
    /** What is known of the candidates that are watched or were; kept as long as they are candidates. */
    private final Map<String, List<Site>> told = new HashMap<>();

    private final Turns turns = new Turns();
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
        watched.forEach(this::tell);
        told.keySet().removeIf(name -> !watched.containsKey(name) && !candidates.contains(name));
        Set<String> chosen = turns.next(watchable(candidates));
        Set<String> changed = new HashSet<>();
        for (Iterator<String> all = watched.keySet().iterator(); all.hasNext(); ) {
            String name = all.next();
            if (!chosen.contains(name)) {
                Allocations.set(Objects.requireNonNull(numbers.get(name)), null);
                all.remove();
                changed.add(name);
            }
        }
        for (String name : chosen) {
            if (!watched.containsKey(name)) {
                watch(name);
                changed.add(name);
            }
        }
        if (!changed.isEmpty()) {
            weave(changed);
        }
    }

    /** What an earlier turn found stays until this one finds something. */
    private void tell(String name, Survivors survivors) {
        List<Site> sites = survivors.sites();
        if (!sites.isEmpty()) {
            told.put(name, sites);
        }
    }

    private void watch(String name) {
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

    private List<String> watchable(List<String> candidates) {
        boolean room = numbers.size() + Turns.MOST <= Allocations.CAPACITY;
        List<String> watchable = candidates.stream()
                .filter(name -> isWatchable(name) && (room || numbers.containsKey(name)))
                .collect(Collectors.toList());
        return watchable.isEmpty() && candidates.contains(LAST_RESORT) ? List.of(LAST_RESORT) : watchable;
    }

    private static boolean isWatchable(String name) {
        boolean woven = !name.startsWith("java.lang.") || NUMBERS.contains(name);
        return woven && !name.endsWith("[]") && !name.contains("/") && !name.startsWith("<");
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
        return told.getOrDefault(className, List.of());
    }
}
