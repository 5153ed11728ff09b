package dev.understudy.relay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A file system of two megabytes, which really gets full; a test is skipped where such can't be mounted. */
public final class TinyDisk implements AutoCloseable {
    public final Path folder;

    private TinyDisk(Path folder) {
        this.folder = folder;
    }

    public static TinyDisk mount(Path folder) throws IOException {
        Files.createDirectories(folder);
        assumeTrue(
                Shell.ran("mount", "-t", "tmpfs", "-o", "size=2m", "understudy-test", folder.toString()),
                "skipped: no file system may be mounted here");
        return new TinyDisk(folder);
    }

    @Override
    public void close() {
        Shell.ran("umount", "--lazy", folder.toString());
    }
}
