package dev.understudy.agent.weave;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/** The classes of a library, for tests that weave many. */
public final class LibraryClasses {
    private LibraryClasses() {}

    /** The names, with dots, of all classes in the jar that this one is from. */
    public static List<String> of(Class<?> member) throws Exception {
        Path jar = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.contains("META-INF") && !name.contains("-info"))
                    .forEach(name ->
                            names.add(name.substring(0, name.length() - 6).replace('/', '.')));
        }
        return names;
    }
}
