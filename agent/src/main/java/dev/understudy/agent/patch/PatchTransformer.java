package dev.understudy.agent.patch;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives classes the code of the patch in the place of their own; safe for any threads. To be installed before what
 * weaves.
 */
public final class PatchTransformer implements ClassFileTransformer {
    private volatile Map<String, byte[]> classes = Map.of();
    private final Map<String, String> obstacles = Collections.synchronizedMap(new TreeMap<>());

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (name == null || loader == null) {
            return null;
        }
        byte[] patched = classes.get(name);
        if (patched == null) {
            return null;
        }
        if (redefined != null) {
            compare(name, classFile, patched);
        }
        return patched.clone();
    }

    /** From now on classes get this code, by their names with slashes, when they are loaded or retransformed. */
    void patch(Map<String, byte[]> newClasses) {
        obstacles.clear();
        classes = Map.copyOf(newClasses);
    }

    Map<String, byte[]> classes() {
        return classes;
    }

    /** In which loaded classes the JVM met what it can't change, since the last {@link #patch}. */
    Set<String> obstacles() {
        synchronized (obstacles) {
            return new TreeSet<>(obstacles.values());
        }
    }

    private void compare(String name, byte[] original, byte[] patched) {
        try {
            List<String> differences = ClassShape.differences(original, patched);
            if (!differences.isEmpty()) {
                obstacles.put(
                        name,
                        name.replace('/', '.') + " "
                                + String.join(", ", differences.subList(0, Math.min(3, differences.size()))));
            }
        } catch (RuntimeException unreadable) {
            // the JVM says what is wrong with it
        }
    }
}
