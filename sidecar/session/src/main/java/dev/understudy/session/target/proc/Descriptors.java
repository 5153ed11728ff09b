package dev.understudy.session.target.proc;

import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.OpenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a process has open: sockets by their number, files that it writes or that are deleted, and archives.
 *
 * @param sockets numbers of its sockets
 * @param files those that are written or deleted
 * @param archives paths of jar files that are open
 * @param isComplete false if there were more than are read
 */
public record Descriptors(Set<Long> sockets, List<OpenFile> files, List<String> archives, boolean isComplete) {
    private static final int MOST = 100_000;
    private static final int MOST_FILES = 1000;
    private static final String DELETED = " (deleted)";
    private static final String SOCKET = "socket:[";
    private static final int ACCESS = 3;
    private static final int APPEND = 02000;

    /** Reads all descriptors; one that is closed meanwhile is left out. */
    public static Descriptors read(ProcFiles process) throws IOException {
        List<String> numbers = new ArrayList<>();
        boolean complete = process.names("fd", MOST, numbers::add);
        Set<Long> sockets = new HashSet<>();
        List<OpenFile> files = new ArrayList<>();
        List<String> archives = new ArrayList<>();
        for (String number : numbers) {
            try {
                String link = process.link("fd/" + number);
                if (link.startsWith(SOCKET)) {
                    sockets.add(inode(link));
                } else if (link.startsWith("/") && !isDevice(link)) {
                    if (link.endsWith(".jar")) {
                        archives.add(link);
                    }
                    if (files.size() < MOST_FILES) {
                        file(process, number, link, files);
                    } else {
                        complete = false;
                    }
                }
            } catch (NoSuchFileException closed) {
                // meanwhile
            }
        }
        return new Descriptors(sockets, files, archives, complete);
    }

    private static boolean isDevice(String link) {
        return (link.startsWith("/dev/") && !link.startsWith("/dev/shm/")) || link.startsWith("/memfd:");
    }

    private static long inode(String link) {
        try {
            return Long.parseLong(link, SOCKET.length(), link.length() - 1, 10);
        } catch (NumberFormatException | IndexOutOfBoundsException none) {
            return 0;
        }
    }

    private static void file(ProcFiles process, String number, String link, List<OpenFile> files) throws IOException {
        Set<FileUse> uses = EnumSet.noneOf(FileUse.class);
        int flags = flags(process.text("fdinfo/" + number, 4096));
        if ((flags & ACCESS) != 0) {
            uses.add((flags & APPEND) != 0 ? FileUse.APPENDED : FileUse.WRITTEN);
        }
        boolean deleted = link.endsWith(DELETED);
        if (deleted) {
            uses.add(FileUse.DELETED);
        }
        if (!uses.isEmpty() && Files.isRegularFile(process.path("fd/" + number))) {
            String path = deleted ? link.substring(0, link.length() - DELETED.length()) : link;
            files.add(new OpenFile(path, uses, Files.size(process.path("fd/" + number))));
        }
    }

    /** The flags it was opened with; 0, for reading, if there are none. */
    static int flags(String info) {
        for (String line : info.lines().limit(20).toList()) {
            if (line.startsWith("flags:")) {
                try {
                    return Integer.parseInt(line.substring("flags:".length()).strip(), 8);
                } catch (NumberFormatException none) {
                    return 0;
                }
            }
        }
        return 0;
    }
}
