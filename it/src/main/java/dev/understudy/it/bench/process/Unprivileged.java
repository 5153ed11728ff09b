package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Servers that don't run as root run as {@code nobody}. */
public final class Unprivileged {
    private Unprivileged() {}

    /** Makes a folder that they may write; all above it, up to the temporary folder, let them through. */
    public static Path folder(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path open = folder; open.getParent() != null && !open.equals(temporary()); open = open.getParent()) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return folder;
    }

    /** The command, run by {@code nobody} if this process is root's. */
    public static List<String> command(List<String> command) {
        List<String> line = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            line.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        line.addAll(command);
        return line;
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }
}
