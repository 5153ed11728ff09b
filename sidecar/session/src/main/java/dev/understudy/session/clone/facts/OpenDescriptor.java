package dev.understudy.session.clone.facts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A descriptor of a process.
 *
 * @param link what {@code /proc} shows of it, such as a path or {@code socket:[7]}
 * @param handle a path at which the file itself is opened
 * @param flags how it was opened, as for {@code open(2)}
 * @param position where the process reads or writes next
 * @param size of a regular file, in bytes; -1 for anything else
 * @param identity device and number of a regular file; "" for anything else
 */
public record OpenDescriptor(String link, Path handle, long flags, long position, long size, String identity) {
    private static final int APPEND = 02000;

    /** The descriptors of a process; those that close meanwhile are left out. */
    public static List<OpenDescriptor> of(long pid) {
        List<OpenDescriptor> files = new ArrayList<>();
        for (Path handle : ProcFile.entries(ProcFile.of(pid, "fd"))) {
            String link = ProcFile.link(handle);
            if (link.isEmpty()) {
                continue;
            }
            Map<String, String> details = ProcFile.values(
                    ProcFile.of(pid, "fdinfo").resolve(handle.getFileName().toString()));
            long size = -1;
            String identity = "";
            if (link.startsWith("/") && Files.isRegularFile(handle)) {
                try {
                    size = Files.size(handle);
                    identity = identity(handle);
                } catch (IOException gone) {
                    continue;
                }
            }
            files.add(new OpenDescriptor(
                    link, handle, flags(details), ProcFile.number(details.get("pos")), size, identity));
        }
        return files;
    }

    /** What {@code find -printf %D:%i} prints of it. */
    public static String identity(Path file) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, "unix:dev,ino");
        return attributes.get("dev") + ":" + attributes.get("ino");
    }

    private static long flags(Map<String, String> details) {
        try {
            return Long.parseLong(details.getOrDefault("flags", "0"), 8);
        } catch (NumberFormatException odd) {
            return 0;
        }
    }

    boolean isRegular() {
        return size >= 0;
    }

    boolean isWritable() {
        return (flags & 3) != 0;
    }

    /** Whether it has no name any more; shared memory that never had one is no file. */
    public boolean isDeleted() {
        return isRegular() && link.endsWith(" (deleted)") && !isSharedMemory();
    }

    boolean isSharedMemory() {
        return link.startsWith("/memfd:");
    }

    /** A regular file with a name that the process may write to. */
    public boolean isNamedOutput() {
        return isRegular() && isWritable() && !isDeleted() && !isSharedMemory();
    }

    /** Whether it is only ever written at its end: what it was can be cut out later. */
    public boolean isSequential() {
        return (flags & APPEND) != 0 || ((flags & 3) == 1 && position == size);
    }
}
