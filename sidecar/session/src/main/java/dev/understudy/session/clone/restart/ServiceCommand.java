package dev.understudy.session.clone.restart;

import dev.understudy.session.clone.CloneException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How a process was started, as the kernel shows it. Holds secrets: never shown. Each character of its texts is a byte
 * (ISO 8859-1), so that names in any encoding stay as they are.
 *
 * @param program the file that runs
 * @param words the command line, program first
 * @param environment each {@code NAME=VALUE}
 * @param directory its working directory
 * @param user its effective user
 * @param group its effective group
 * @param groups its further groups
 * @param umask four octal digits
 * @param files how many descriptors it may have: a number, or {@code unlimited}
 */
public record ServiceCommand(
        String program,
        List<String> words,
        List<String> environment,
        String directory,
        String user,
        String group,
        List<String> groups,
        String umask,
        String files) {
    /** Of command line and environment together, in bytes; what starts the copy takes no more. */
    public static final int LARGEST = 1 << 20;

    private static final String DELETED = " (deleted)";
    private static final int MOST_LINES = 64 << 10;

    public ServiceCommand {
        words = List.copyOf(words);
        environment = List.copyOf(environment);
        groups = List.copyOf(groups);
    }

    /**
     * Reads it. Nothing is attached to the process.
     *
     * @param process its directory below {@code /proc}
     * @throws CloneException if it can't be read, or a copy can't be started that way; with the way out
     */
    public static ServiceCommand read(Path process) throws CloneException {
        String program = link(process, "exe");
        String directory = link(process, "cwd");
        List<String> words = words(process, "cmdline");
        List<String> environment = words(process, "environ");
        if (words.isEmpty()) {
            throw new CloneException(process + " has no command line: it has ended, or it overwrote that;"
                    + " start the service by the session: understudy debug -- COMMAND");
        }
        if (program.endsWith(DELETED)) {
            throw new CloneException(program + ": the service's java was replaced or deleted since it began;"
                    + " restart the service, so that both run the same");
        }
        if (directory.endsWith(DELETED)) {
            throw new CloneException(directory + ": the service's working directory is deleted; restart the service");
        }
        long bytes = words.stream().mapToLong(String::length).sum()
                + environment.stream().mapToLong(String::length).sum();
        if (bytes > LARGEST) {
            throw new CloneException("command line and environment have " + (bytes >> 10) + " KB (expected: at most "
                    + (LARGEST >> 10) + "); put options into an argument file (@FILE)");
        }
        Map<String, String> status = lines(process, "status", "\t");
        Map<String, String> limits = lines(process, "limits", "  ");
        return new ServiceCommand(
                program,
                words,
                environment,
                directory,
                number(status, "Uid:"),
                number(status, "Gid:"),
                Stream.of(status.getOrDefault("Groups:", "").strip().split(" ", -1))
                        .filter(group -> group.matches("\\d{1,10}"))
                        .toList(),
                status.getOrDefault("Umask:", "0022").strip(),
                limits.getOrDefault("Max open files", "1024").strip().split(" ", 2)[0]);
    }

    /** The second number, which is the effective one. */
    private static String number(Map<String, String> status, String name) throws CloneException {
        String[] numbers = status.getOrDefault(name, "").strip().split("\\s+", 4);
        if (numbers.length < 2 || !numbers[1].matches("\\d{1,10}")) {
            throw new CloneException("the service's user can't be read (expected: /proc of Linux 4.1 or newer)");
        }
        return numbers[1];
    }

    private static String link(Path process, String name) throws CloneException {
        try {
            return bytes(Files.readSymbolicLink(process.resolve(name)).toString());
        } catch (IOException unreadable) {
            throw new CloneException(problem(process.resolve(name), unreadable), unreadable);
        }
    }

    private static List<String> words(Path process, String name) throws CloneException {
        try (InputStream in = Files.newInputStream(process.resolve(name))) {
            String text = new String(in.readNBytes(LARGEST + 1), StandardCharsets.ISO_8859_1);
            List<String> words = new ArrayList<>();
            for (int at = 0; at < text.length(); ) {
                int end = text.indexOf('\0', at);
                end = end < 0 ? text.length() : end;
                words.add(text.substring(at, end));
                at = end + 1;
            }
            return words;
        } catch (IOException unreadable) {
            throw new CloneException(problem(process.resolve(name), unreadable), unreadable);
        }
    }

    private static Map<String, String> lines(Path process, String name, String separator) throws CloneException {
        try (InputStream in = Files.newInputStream(process.resolve(name))) {
            Map<String, String> lines = new HashMap<>();
            new String(in.readNBytes(MOST_LINES), StandardCharsets.ISO_8859_1)
                    .lines()
                    .forEach(line -> {
                        int end = line.indexOf(separator);
                        if (end > 0) {
                            lines.put(line.substring(0, end), line.substring(end));
                        }
                    });
            return lines;
        } catch (IOException unreadable) {
            throw new CloneException(problem(process.resolve(name), unreadable), unreadable);
        }
    }

    private static String problem(Path file, IOException unreadable) {
        return file + " can't be read (" + unreadable.getClass().getSimpleName()
                + "), so a copy can't be started the same way; run this as root, or choose the process again";
    }

    /** A path's own bytes, which Java decodes by this setting. */
    private static String bytes(String path) {
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return new String(path.getBytes(charset), StandardCharsets.ISO_8859_1);
    }
}
