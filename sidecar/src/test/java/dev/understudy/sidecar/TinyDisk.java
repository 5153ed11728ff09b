package dev.understudy.sidecar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

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
                ran("mount", "-t", "tmpfs", "-o", "size=2m", "understudy-test", folder.toString()),
                "skipped: no file system may be mounted here");
        return new TinyDisk(folder);
    }

    private static boolean ran(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        ran("umount", "--lazy", folder.toString());
    }
}
