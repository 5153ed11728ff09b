package dev.understudy.observatory.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file or folder that is removed with all that is in it, on Ctrl-C too, unless it is kept: it has what production and
 * its users said.
 */
public final class RemovedAtExit implements AutoCloseable {
    private final Path path;
    private final Thread hook = new Thread(this::remove, "understudy-removal");
    private volatile boolean kept;

    private RemovedAtExit(Path path) {
        this.path = path;
    }

    /**
     * Begins for a file or folder that was just made.
     *
     * @throws IOException if this process is about to end; it is removed then
     */
    public static RemovedAtExit of(Path path) throws IOException {
        RemovedAtExit removed = new RemovedAtExit(path);
        try {
            Runtime.getRuntime().addShutdownHook(removed.hook);
            return removed;
        } catch (IllegalStateException ending) {
            removed.remove();
            throw new IOException("this process is about to end", ending);
        }
    }

    /** It is complete, and stays. */
    public void keep() {
        kept = true;
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // it runs, or has
        }
    }

    private void remove() {
        if (kept) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException gone) {
            // removed already, or nothing that could be done about it
        }
    }
}
