package dev.understudy.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Classes that are to be woven anew since their level changed, found among those that are loaded.
 *
 * <p>A class is known as woven a moment before the JVM lists it as loaded. One that isn't listed when its level changes
 * was woven for the old one, perhaps, and gets a second turn. Confined to one thread.
 */
final class ChangedClasses {
    private Set<String> late = Set.of();

    /** Whether some of the last turn weren't loaded then. */
    boolean areLate() {
        return !late.isEmpty();
    }

    /** Those of {@code changed}, and of the last turn's that were late, that are among the {@code loaded} ones. */
    List<Class<?>> among(Set<String> changed, Class<?>[] loaded) {
        Set<String> wanted = new HashSet<>(changed);
        wanted.addAll(late);
        Set<String> missing = new HashSet<>(changed);
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> one : loaded) {
            if (wanted.contains(one.getName())) {
                found.add(one);
                missing.remove(one.getName());
            }
        }
        late = missing;
        return found;
    }
}
