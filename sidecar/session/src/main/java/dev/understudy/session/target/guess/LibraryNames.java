package dev.understudy.session.target.guess;

import dev.understudy.session.target.proc.TargetRoot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Names of the libraries that a JVM has: on its class path, open, or within the archives that it was started from. */
public final class LibraryNames {
    private static final int MOST = 5000;
    private static final int MOST_SEARCHED = 4;
    private static final Set<String> PATH_OPTIONS =
            Set.of("-cp", "-classpath", "--class-path", "-jar", "-p", "--module-path");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,127}");

    private LibraryNames() {}

    /**
     * Collects them.
     *
     * @param command the command line, program first
     * @param workingDirectory what paths in it begin at
     * @param open paths of archives that are open or mapped
     */
    public static Set<String> collect(
            List<String> command, Path workingDirectory, Collection<String> open, TargetRoot root) {
        Set<String> names = new TreeSet<>();
        List<String> classPath = classPath(command);
        classPath.forEach(path -> add(names, path));
        open.forEach(path -> add(names, path));
        List<String> archives = classPath.stream()
                .filter(path -> path.endsWith(".jar"))
                .limit(MOST_SEARCHED)
                .toList();
        for (String archive : archives) {
            Optional<Path> file = file(root, workingDirectory, archive);
            try {
                if (file.isPresent()) {
                    JarContents.libraries(file.get()).forEach(name -> add(names, name));
                }
            } catch (IOException unreadable) {
                // what is open shows enough
            }
        }
        return names;
    }

    private static Optional<Path> file(TargetRoot root, Path workingDirectory, String archive) {
        try {
            return root.file(workingDirectory.resolve(archive).toString());
        } catch (IllegalArgumentException noPath) {
            return Optional.empty();
        }
    }

    private static List<String> classPath(List<String> command) {
        List<String> paths = new ArrayList<>();
        for (int n = 1; n < command.size() && paths.size() < MOST; n++) {
            String word = command.get(n);
            String value = PATH_OPTIONS.contains(command.get(n - 1))
                    ? word
                    : word.startsWith("--class-path=") ? word.substring("--class-path=".length()) : "";
            if (!value.isEmpty()) {
                paths.addAll(List.of(value.split(":", -1)));
            }
        }
        return paths.subList(0, Math.min(paths.size(), MOST));
    }

    private static void add(Set<String> names, String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (names.size() < MOST && NAME.matcher(name).matches()) {
            names.add(name);
        }
    }
}
