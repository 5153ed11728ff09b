package dev.understudy.session.target.proc;

import java.util.List;
import java.util.Set;

/** Where the JVM's own options are on the command line of a {@code java} launcher. */
public final class LauncherOptions {
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--limit-modules",
            "--upgrade-module-path",
            "--patch-module",
            "--enable-native-access");

    private LauncherOptions() {}

    /** Whether the word after this one belongs to it. */
    public static boolean hasValue(String word) {
        return WITH_VALUE.contains(word);
    }

    /**
     * How many words belong to the JVM, the program's name included. What follows is {@code -jar}, a module or a main
     * class with its arguments.
     */
    public static int count(List<String> command) {
        int n = 1;
        while (n < command.size()) {
            String word = command.get(n);
            if (hasValue(word)) {
                n += 2;
            } else if (word.equals("-jar")
                    || word.equals("-m")
                    || word.equals("--module")
                    || (!word.startsWith("-") && !word.startsWith("@"))) {
                break; // what follows is the program's own
            } else {
                n++;
            }
        }
        return Math.min(n, command.size());
    }
}
