package dev.understudy.session.clone.facts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the control group of a copy is made: it limits memory, and leaves production the processor.
 *
 * @param parent a directory of the unified hierarchy whose groups may limit both; absent where there is none
 */
public record CopyGroup(Optional<Path> parent) {
    private static final Path[] MOUNTS = {Path.of("/sys/fs/cgroup"), Path.of("/sys/fs/cgroup/unified")};

    /** Looks for one: this program's own group, or one above it. */
    public static CopyGroup find(Path process) {
        String own = ProcFile.lines(process.resolve("cgroup")).stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring(4))
                .findFirst()
                .orElse("");
        for (Path mount : MOUNTS) {
            Path group = mount.resolve(own).normalize();
            while (group != null && group.startsWith(mount)) {
                if (isUsable(group)) {
                    return new CopyGroup(Optional.of(group));
                }
                group = group.getParent();
            }
        }
        return new CopyGroup(Optional.empty());
    }

    static boolean isUsable(Path group) {
        List<String> lines = ProcFile.lines(group.resolve("cgroup.subtree_control"));
        List<String> controllers =
                lines.isEmpty() ? List.of() : List.of(lines.get(0).split(" "));
        return controllers.containsAll(List.of("memory", "cpu")) && Files.isWritable(group);
    }

    /** Makes a group, or none where that isn't possible. */
    public Optional<Path> make(String name, long memory) {
        if (parent.isEmpty()) {
            return Optional.empty();
        }
        Path group = parent.get().resolve(name);
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve("memory.max"), Long.toString(memory));
            Files.writeString(group.resolve("cpu.weight"), "20");
            return Optional.of(group);
        } catch (IOException refused) {
            return Optional.empty();
        }
    }
}
