package dev.understudy.relay.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tells whether files were written since they were last read, by their times, sizes and identities. For one thread. */
public final class WatchedFiles {
    private final List<Path> files;
    private List<String> seen = List.of();

    /** @param files none of which was read yet */
    public WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Whether they look different from the last time this was asked; files that can't be looked at count as such. */
    public boolean changed() {
        List<String> now = files.stream().map(WatchedFiles::look).toList();
        boolean changed = !now.equals(seen);
        seen = now;
        return changed;
    }

    private static String look(Path file) {
        try {
            return Files.getLastModifiedTime(file) + " " + Files.size(file) + " "
                    + Files.getAttribute(file, "unix:ino");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return file.toFile().lastModified() + " " + file.toFile().length();
        }
    }
}
