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
 * Where the objects of classes that grow are made and used last: a few classes at a time have their constructors and
 * methods tell. Confined to one thread.
 *
 * <p>Arrays have no constructor. Of {@code java.lang} only the numbers that are keys of maps are woven, and
 * {@link String}, that only while nothing else grows that can be watched: almost all compiled code depends on it. What
 * grows beside them (a map's entries, a list's owner) leads to the same methods. Of uses only the application's classes
 * tell, with those of its own that they extend.
 */
public final class AllocationSites {
    private static final Set<String> NUMBERS = Set.of(Long.class.getName(), Integer.class.getName());
    private static final String LAST_RESORT = String.class.getName();

    private final Instrumentation instrumentation;
    private final ConstructorTransformer constructors;
    private final UseTransformer methods;
    private final Map<String, Survivors> watched = new LinkedHashMap<>();
    /** What is known of the candidates that are watched or were; kept as long as they are candidates. */
    private final Map<String, Places> told = new HashMap<>();

    private final LeakTurns turns = new LeakTurns();
    private final Map<String, Integer> numbers = new HashMap<>();

    /** Weaves through these, which are installed. */
    public AllocationSites(
            Instrumentation instrumentation, ConstructorTransformer constructors, UseTransformer methods) {
        this.instrumentation = instrumentation;
        this.constructors = constructors;
        this.methods = methods;
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
        for (Iterator<Map.Entry<String, Survivors>> all = watched.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Survivors> one = all.next();
            if (!chosen.contains(one.getKey())) {
                Allocations.set(Objects.requireNonNull(numbers.get(one.getKey())), null);
                one.getValue().end();
                all.remove();
                changed.add(one.getKey());
            }
        }
        for (String name : chosen) {
            if (!watched.containsKey(name)) {
                watch(name);
                changed.add(name);
            }
        }
        if (!candidates.isEmpty()) {
            superclasses(candidates);
        }
        if (!changed.isEmpty()) {
            weave(changed);
        }
    }

    /** Nothing is counted any more, so nothing has to tell what is made; what was told stays. */
    void rest() {
        Set<String> woven = new HashSet<>(watched.keySet());
        watched.forEach((name, survivors) -> {
            Allocations.set(Objects.requireNonNull(numbers.get(name)), null);
            survivors.end();
        });
        watched.clear();
        if (!woven.isEmpty()) {
            weave(woven);
        }
    }

    private void superclasses(List<String> candidates) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (candidates.contains(loaded.getName())) {
                List<String> family = family(loaded);
                if (family.size() > 1) {
                    told.put(loaded.getName(), of(loaded.getName()).extending(family.subList(1, family.size())));
                }
            }
        }
    }

    /** The class, if it is the application's, and those of the application's that it extends. */
    private static List<String> family(Class<?> loaded) {
        List<String> names = new ArrayList<>();
        for (Class<?> type = loaded; type != null && isApplications(type); type = type.getSuperclass()) {
            names.add(type.getName());
        }
        return names;
    }

    /** What an earlier turn found stays until this one finds something. */
    private void tell(String name, Survivors survivors) {
        told.put(name, of(name).and(survivors.sites(), survivors.uses()));
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
        boolean room = numbers.size() + LeakTurns.MOST <= Allocations.CAPACITY;
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
        watched.keySet().forEach(name -> classes.put(slashed(name), Objects.requireNonNull(numbers.get(name))));
        constructors.watch(classes);
        Set<String> before = methods.watched();
        Class<?>[] all = instrumentation.getAllLoadedClasses();
        methods.watch(families(all));
        for (Class<?> loaded : all) {
            String name = slashed(loaded.getName());
            boolean other = changed.contains(loaded.getName())
                    || before.contains(name) != methods.watched().contains(name);
            if (other && !isOurs(loaded) && instrumentation.isModifiableClass(loaded)) {
                retransform(loaded);
            }
        }
    }

    /** The application's classes that are watched, and those of its own that they extend, with slashes. */
    private Set<String> families(Class<?>[] loaded) {
        Set<String> names = new HashSet<>();
        for (Class<?> one : loaded) {
            if (watched.containsKey(one.getName())) {
                family(one).forEach(name -> names.add(slashed(name)));
            }
        }
        return names;
    }

    private void retransform(Class<?> loaded) {
        try {
            instrumentation.retransformClasses(loaded);
        } catch (UnmodifiableClassException | LinkageError | RuntimeException refused) {
            // no place of its objects is told
        }
    }

    private static String slashed(String name) {
        return name.replace('.', '/');
    }

    /** What is known of where a class's objects are made that stay, and where they were used last. */
    Places of(String className) {
        return told.getOrDefault(className, Places.NONE);
    }
}
