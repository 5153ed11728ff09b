package dev.understudy.session.bundle;

import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.sidecar.config.NoiseFile;
import dev.understudy.sidecar.record.Contents;
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
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An unpacked bundle among temporary files, for its owner only; removed at the end, also on Ctrl-C. Its user's thread
 * is interrupted then, and ends what it has begun: nothing is unpacked or started behind the removal's back.
 */
public final class BundleFolder implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Path path;
    private final Thread user = Thread.currentThread();
    private final List<Runnable> first = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread atExit = new Thread(this::removeAtExit, "understudy-bundle-removal");

    private BundleFolder(Path path) {
        this.path = path;
    }

    /**
     * A new, empty one, of the calling thread.
     *
     * @throws IOException if there can't be one
     */
    public static BundleFolder open() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        BundleFolder folder = new BundleFolder(temporary.resolve("understudy-bundle-" + UUID.randomUUID()));
        try {
            Runtime.getRuntime().addShutdownHook(folder.atExit);
        } catch (IllegalStateException ending) {
            throw new IOException("this process is about to end", ending);
        }
        try {
            Files.createDirectory(folder.path, OwnerOnly.directory());
            return folder;
        } catch (IOException unwritable) {
            folder.close();
            throw unwritable;
        }
    }

    /**
     * Unpacks all of a bundle, and returns its upstreams.
     *
     * @param trust what is known of it
     * @throws BundleException if it is none, or damaged, or not to be trusted
     */
    public BundleUpstreams unpack(Path bundle, BundleTrust trust) throws IOException {
        try (BundleFile file = trust.open(bundle, this)) {
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

    /**
     * What the unpacked recording holds.
     *
     * @param bundle where it is from, for messages
     * @throws BundleException if it is no recording, or damaged at its beginning
     */
    public Contents traffic(Path bundle) throws BundleException {
        String place = bundle + ": " + BundleLimits.RECORDING;
        try {
            return Contents.read(recording());
        } catch (IOException | RuntimeException unreadable) {
            throw new BundleException(place + " is no recording, or damaged at its beginning", unreadable);
        } catch (OutOfMemoryError large) {
            throw new BundleException(
                    place + " has more connections and requests than memory holds (expected: up to "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB; JDK_JAVA_OPTIONS=-Xmx8g allows more)",
                    large);
        }
    }

    /**
     * The unpacked noise rules; none if it has none.
     *
     * @param bundle where they are from, for messages
     * @throws BundleException if they are no such rules
     */
    public List<NoiseRule> noise(Path bundle) throws BundleException {
        Path rules = path.resolve(BundleLimits.NOISE);
        try {
            return Files.exists(rules) ? NoiseFile.read(rules) : List.of();
        } catch (IOException wrong) {
            throw new BundleException(
                    bundle + ": " + BundleManifest.shortened(String.valueOf(wrong.getMessage())), wrong);
        }
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
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // it runs, or has
        }
    }

    private void removeAtExit() {
        user.interrupt();
        try {
            if (closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        remove();
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
