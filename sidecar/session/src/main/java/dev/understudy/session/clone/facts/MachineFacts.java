package dev.understudy.session.clone.facts;

import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What this machine allows a session to do.
 *
 * @param uid the user that this program runs as
 * @param capabilities what this program may do: the bits that {@code capabilities(7)} numbers
 * @param hasOverlay whether the kernel has overlay file systems
 * @param memory free memory, in bytes
 * @param imageRoom free bytes where images are put
 * @param imageFileSystem its kind, such as {@code tmpfs}
 * @param hasRealtime whether a program may be put before all others of the machine
 * @param group how the copy's memory and processor time are limited
 * @param missing programs that are needed and not there
 */
public record MachineFacts(
        long uid,
        long capabilities,
        boolean hasOverlay,
        long memory,
        long imageRoom,
        String imageFileSystem,
        boolean hasRealtime,
        CopyGroup group,
        List<String> missing) {
    private static final int SYS_RESOURCE = 24;
    private static final Map<Integer, String> NEEDED = new LinkedHashMap<>();

    static {
        NEEDED.put(12, "net_admin");
        NEEDED.put(19, "sys_ptrace");
        NEEDED.put(21, "sys_admin");
        NEEDED.put(40, "checkpoint_restore");
        NEEDED.put(8, "setpcap");
    }

    public static MachineFacts read(Path images) throws InterruptedException {
        Map<String, String> status = ProcFile.values(Path.of("/proc/self/status"));
        long room = 0;
        String kind = "none";
        try {
            FileStore store = Files.getFileStore(images);
            room = store.getUsableSpace();
            kind = store.type();
        } catch (IOException none) {
            // the check of room refuses
        }
        return new MachineFacts(
                ProcFile.number(status.get("Uid")),
                Long.parseUnsignedLong(status.getOrDefault("CapEff", "0"), 16),
                ProcFile.lines(Path.of("/proc/filesystems")).stream().anyMatch(line -> line.endsWith("\toverlay")),
                ProcFile.number(ProcFile.values(Path.of("/proc/meminfo")).get("MemAvailable")) << 10,
                room,
                kind,
                canGoFirst(),
                CopyGroup.find(Path.of("/proc/self")),
                missingPrograms());
    }

    private static boolean canGoFirst() throws InterruptedException {
        try {
            return HostCommand.run(Duration.ofSeconds(5), List.of("chrt", "-f", "20", "true"))
                    .isFine();
        } catch (IOException noProgram) {
            return false;
        }
    }

    private static List<String> missingPrograms() {
        List<String> missing = new ArrayList<>();
        for (String name :
                List.of("sh", "timeout", "find", "nsenter", "unshare", "setpriv", "prlimit", "mount", "ip", "ss")) {
            if (inPath(name).isEmpty()) {
                missing.add(name);
            }
        }
        return missing;
    }

    /** Names of the capabilities that are lacking. */
    List<String> lacking() {
        return NEEDED.entrySet().stream()
                .filter(entry -> (capabilities >> entry.getKey() & 1) == 0)
                .map(entry -> "cap_" + entry.getValue())
                .toList();
    }

    /** Whether CRIU must run as the process's own user: root lacks the right to read another user's limits. */
    public boolean needsUserOf(int owner) {
        return owner != uid && (capabilities >> SYS_RESOURCE & 1) == 0;
    }

    /** An executable program of this name, on the path or among those of root. */
    public static Optional<Path> inPath(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
        return Pattern.compile(":")
                .splitAsStream(path)
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }
}
