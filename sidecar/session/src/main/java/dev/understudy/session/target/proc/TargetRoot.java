package dev.understudy.session.target.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;

/** The file system that a process sees. Links in it are followed within it, never out into this machine's own. */
public final class TargetRoot {
    private static final int MOST_LINKS = 40;
    private static final int MOST_NAMES = 1000;

    private final Path root;

    /** @param root such as {@code /proc/PID/root} */
    public TargetRoot(Path root) {
        this.root = root;
    }

    /** Where a regular file is, as this machine sees it; empty if there is none. */
    public Optional<Path> file(String path) {
        try {
            Deque<Path> names = new ArrayDeque<>();
            push(names, Path.of("/").resolve(path));
            Path at = root;
            int links = 0;
            while (!names.isEmpty()) {
                String name = names.pop().toString();
                if (name.equals("..")) {
                    at = at.equals(root) ? root : Objects.requireNonNullElse(at.getParent(), root);
                    continue;
                }
                Path next = name.equals(".") ? at : at.resolve(name);
                if (!Files.isSymbolicLink(next)) {
                    at = next;
                    continue;
                }
                Path link = Files.readSymbolicLink(next);
                if (++links > MOST_LINKS || names.size() + link.getNameCount() > MOST_NAMES) {
                    return Optional.empty();
                }
                push(names, link);
                at = link.isAbsolute() ? root : at;
            }
            return Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS) ? Optional.of(at) : Optional.empty();
        } catch (IOException | RuntimeException noPath) {
            return Optional.empty();
        }
    }

    private static void push(Deque<Path> names, Path path) {
        for (int n = path.getNameCount() - 1; n >= 0; n--) {
            names.push(path.getName(n));
        }
    }
}
