package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a JVM's perf data: in its own file system, by the number that it has in its own namespace. */
final class PerfFile {
    private static final int MOST_USERS = 64;

    private PerfFile() {}

    /**
     * Opens it.
     *
     * @return null if there is none that this process may read
     */
    static @Nullable KernelFile open(Path proc, int pid) {
        Path process = proc.resolve(Integer.toString(pid));
        try {
            List<String> status = Files.readAllLines(process.resolve("status"));
            String inside = lastWord(status, "NSpid:", Integer.toString(pid));
            Path own = process.resolve("root").resolve("tmp");
            KernelFile found = search(own, inside, process);
            return found == null ? search(Path.of("/tmp"), Integer.toString(pid), process) : found;
        } catch (IOException | RuntimeException hidden) {
            return null;
        }
    }

    private static String lastWord(List<String> lines, String title, String none) {
        for (String line : lines) {
            if (line.startsWith(title)) {
                String[] words = line.trim().split("\\s+", -1);
                return words[words.length - 1];
            }
        }
        return none;
    }

    /** Only a plain file of the process's user in a plain folder: where users write there may be links to anything. */
    private static @Nullable KernelFile search(Path folder, String name, Path process) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        Object user = Files.getAttribute(process, "unix:uid");
        int users = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, "hsperfdata_*")) {
            for (Path each : folders) {
                Path file = each.resolve(name);
                if (++users <= MOST_USERS
                        && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && user.equals(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
                    return KernelFile.open(file);
                }
            }
        }
        return null;
    }
}
