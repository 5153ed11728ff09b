package dev.understudy.session.bundle;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An unpacked bundle among temporary files, for its owner only; removed at the end, also on Ctrl-C. */
public final class BundleFolder implements AutoCloseable {
    private final Path path;
    private final List<Runnable> first = new CopyOnWriteArrayList<>();
    private final Thread atExit = new Thread(this::remove, "understudy-bundle-removal");

    private BundleFolder(Path path) {
        this.path = path;
    }

    /**
     * A new, empty one.
     *
     * @throws IOException if there can't be one
     */
    public static BundleFolder open() throws IOException {
        BundleFolder folder = new BundleFolder(Files.createTempDirectory("understudy-bundle-", OwnerOnly.directory()));
        Runtime.getRuntime().addShutdownHook(folder.atExit);
        return folder;
    }

    /**
     * Unpacks all of a bundle, and returns its upstreams.
     *
     * @throws BundleException if it is none, or damaged
     */
    public BundleUpstreams unpack(Path bundle) throws IOException {
        try (BundleFile file = BundleFile.open(bundle)) {
            for (BundleManifest.Entry entry : file.manifest().entries()) {
                unpack(file, entry);
            }
            return file.upstreams();
        }
    }

    /** Unpacks one entry; returns where it is. */
    Path unpack(BundleFile file, BundleManifest.Entry entry) throws IOException {
        Path to = path.resolve(entry.name());
        Path parent = to.getParent();
        if (parent != null) {
            Files.createDirectories(parent, OwnerOnly.directory());
        }
        try (OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                to, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file()))) {
            file.copy(entry, out);
        }
        return to;
    }

    /** Ends something that uses it before it is removed; may be called again. */
    public void before(Runnable end) {
        first.add(end);
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** The recorded traffic. */
    public Path recording() {
        return path.resolve(BundleLimits.RECORDING);
    }

    /** The upstreams' journals. */
    public Path journal() {
        return path.resolve("journal");
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // it runs, or has
        }
    }

    private void remove() {
        first.forEach(Runnable::run);
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
                        throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException gone) {
            // removed already, or nothing that could be done about it
        }
    }
}
