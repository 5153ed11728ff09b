package dev.understudy.session.clone.facts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a process's memory that is a file's.
 *
 * @param path as {@code /proc} shows it
 * @param handle a path at which the file itself is opened, whether or not it has a name
 * @param start where the part begins
 * @param bytes the length of the part
 * @param isWrittenThrough whether what the process writes into it lands in the file
 */
public record MappedFile(String path, Path handle, long start, long bytes, boolean isWrittenThrough) {
    private static final Pattern LINE =
            Pattern.compile("([0-9a-f]{1,16})-([0-9a-f]{1,16}) (\\S{4}) \\S+ \\S+ \\S+\\s+(/.*)");

    /** The files in a process's memory. */
    public static List<MappedFile> of(long pid) {
        return parse(pid, ProcFile.lines(ProcFile.of(pid, "maps")));
    }

    static List<MappedFile> parse(long pid, List<String> lines) {
        List<MappedFile> files = new ArrayList<>();
        for (String line : lines) {
            Matcher part = LINE.matcher(line);
            if (part.matches()) {
                long start = Long.parseUnsignedLong(part.group(1), 16);
                long bytes = Math.max(Long.parseUnsignedLong(part.group(2), 16) - start, 0);
                Path handle = ProcFile.of(pid, "map_files").resolve(part.group(1) + "-" + part.group(2));
                files.add(new MappedFile(
                        part.group(4), handle, start, bytes, part.group(3).matches(".w.s")));
            }
        }
        return files;
    }

    public boolean contains(long address) {
        return address >= start && address - start < bytes;
    }

    /** Whether it is the helper that CRIU puts into a process for the time of a dump. */
    public boolean isOfCriu() {
        return path.startsWith("/memfd:CRIUMFD");
    }

    boolean isJavaHeap() {
        return path.startsWith("/memfd:java_heap");
    }

    boolean isSystemV() {
        return path.startsWith("/SYSV");
    }

    /** A file with a name whose bytes belong to the memory: it is copied while the process stands still. */
    boolean isWrittenInPlace() {
        return isWrittenThrough
                && !path.startsWith("/memfd:")
                && !path.startsWith("/dev/zero")
                && !path.startsWith("/anon_hugepage")
                && !isSystemV()
                && !path.endsWith(" (deleted)")
                && !path.contains("/hsperfdata_");
    }
}
