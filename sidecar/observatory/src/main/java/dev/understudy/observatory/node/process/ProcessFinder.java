package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds processes whose command line contains a text. A process is looked at only while it is new, for it may start
 * another program in the meantime. One thread.
 */
final class ProcessFinder {
    /** How often a new process is looked at. */
    private static final int LOOKS = 3;

    private final Path proc;
    private final List<String> names;
    private final Set<Integer> own;
    private final KernelText text = new KernelText();
    private Map<Integer, Integer> looks = new HashMap<>();

    /**
     * For some texts.
     *
     * @param own processes that are never meant: this one, and those that started it, whose command lines have the same
     *     text
     */
    ProcessFinder(Path proc, List<String> names, Set<Integer> own) {
        this.proc = proc;
        this.names = List.copyOf(names);
        this.own = new HashSet<>(own);
    }

    /** This process and its ancestors. */
    static Set<Integer> self() {
        Set<Integer> self = new HashSet<>();
        ProcessHandle each = ProcessHandle.current();
        while (each != null && self.add((int) each.pid())) {
            each = each.parent().orElse(null);
        }
        return self;
    }

    /** Gives each process that is found, with the text it has, to {@code found}; for once a second. */
    void look(BiConsumer<Integer, String> found) {
        String[] entries = names.isEmpty() ? null : proc.toFile().list();
        if (entries == null) {
            return;
        }
        Map<Integer, Integer> now = new HashMap<>();
        for (String entry : entries) {
            int pid = number(entry);
            if (pid > 0 && !own.contains(pid)) {
                int before = looks.getOrDefault(pid, 0);
                now.put(pid, Math.min(LOOKS, before + 1));
                if (before < LOOKS) {
                    match(pid, found);
                }
            }
        }
        looks = now;
    }

    private void match(int pid, BiConsumer<Integer, String> found) {
        String line = commandLine(pid);
        for (String name : names) {
            if (line.contains(name)) {
                found.accept(pid, name);
                return;
            }
        }
    }

    private String commandLine(int pid) {
        try (KernelFile file =
                KernelFile.open(proc.resolve(Integer.toString(pid)).resolve("cmdline"))) {
            file.read(text);
            return text.all().replace('\0', ' ');
        } catch (IOException | UnsupportedOperationException gone) {
            return "";
        }
    }

    /** A process's number; 0 for what isn't one. */
    static int number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return 0;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return 0;
            }
            number = number * 10 + digit - '0';
        }
        return number;
    }
}
