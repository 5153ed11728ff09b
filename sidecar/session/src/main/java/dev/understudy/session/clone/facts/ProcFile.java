package dev.understudy.session.clone.facts;

import dev.understudy.session.host.ProcessStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what {@code /proc} shows of processes. What is gone or may not be read is empty; everything has a limit. */
public final class ProcFile {
    private static final int LARGEST = 16 << 20;
    private static final int MOST_ENTRIES = 1 << 16;

    private ProcFile() {}

    public static Path of(long pid, String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }

    /** The lines of a file, to a limit of 16 MB. */
    public static List<String> lines(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    /** The lines {@code name: value} of a file, the last of each name. */
    public static Map<String, String> values(Path file) {
        Map<String, String> values = new HashMap<>();
        for (String line : lines(file)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        return values;
    }

    /** The first number of a text; 0 if it begins with none. */
    public static long number(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        String word = text.strip().split("\\s", 2)[0];
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** The fields of a process's {@code stat} from the third on, which is at 0; empty if the process is gone. */
    public static List<String> stat(long pid) {
        List<String> lines = lines(of(pid, "stat"));
        String line = String.join(" ", lines);
        int name = line.lastIndexOf(')');
        return name < 0 ? List.of() : List.of(line.substring(name + 1).strip().split(" "));
    }

    /** When a process began, in clock ticks since the machine's start; -1 if it is gone. */
    public static long startTicks(long pid) {
        return ProcessStart.ticks(String.join(" ", lines(of(pid, "stat")))).orElse(-1);
    }

    /** Where a link leads; "" if it is gone. */
    public static String link(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    /** What is in a directory; empty if it is gone. */
    public static List<Path> entries(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path entry : stream) {
                if (entries.size() == MOST_ENTRIES) {
                    break;
                }
                entries.add(entry);
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException gone) {
            return List.of();
        }
        return entries;
    }

    /** The processes of this machine. */
    public static List<Long> processes() {
        return entries(Path.of("/proc")).stream()
                .map(path -> path.getFileName().toString())
                .filter(name -> name.matches("[0-9]{1,9}"))
                .map(Long::valueOf)
                .toList();
    }
}
