package dev.understudy.relay.stream;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of one process, below one that several processes may share.
 *
 * <p>A lock on a file in it says that its process lives, whatever process numbers mean in a container; what others left
 * behind when they died is removed first. A directory that is kept belongs to one process at a time, which finds there
 * what the one before left. Directory and files are for their owner only.
 */
public final class ProcessDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectory.class);

    /** Is in the names of this process's own; a number of the process alone may be another's in another container. */
    private static final String OURS = ProcessHandle.current().pid() + "-" + UUID.randomUUID() + "-";

    private static final String LOCK = "lock";
    private static final String SEGMENT = "segment-";

    private final Path path;
    private final FileChannel lockFile;
    private final boolean kept;

    private ProcessDirectory(Path path, FileChannel lockFile, boolean kept) {
        this.path = path;
        this.lockFile = lockFile;
        this.kept = kept;
    }

    /**
     * Makes a directory of its own below {@code parent}, which is made as well if it isn't there. Those of dead
     * processes are removed.
     *
     * @param prefix begins the names of all directories of this kind
     * @throws IOException if it can't be made
     */
    public static ProcessDirectory open(Path parent, String prefix) throws IOException {
        if (!Files.isDirectory(parent)) {
            Files.createDirectories(parent, OwnerOnly.directory());
        }
        removeStale(parent, prefix);
        while (true) {
            Path own = Files.createTempDirectory(parent, prefix + OURS, OwnerOnly.directory());
            FileChannel lockFile = create(own.resolve(LOCK));
            lockFile.lock();
            if (Files.exists(own.resolve(LOCK))) {
                return new ProcessDirectory(own, lockFile, false);
            }
            lockFile.close(); // another process took it for stale before it was locked
        }
    }

    /**
     * This very directory, with what is in it.
     *
     * @throws IOException if it can't be made or locked; or a process that lives has it, which the message says
     */
    static ProcessDirectory keep(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path, OwnerOnly.directory());
        }
        FileChannel lockFile = FileChannel.open(
                path.resolve(LOCK),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ),
                OwnerOnly.file());
        try {
            if (lockFile.tryLock() == null) {
                throw new IOException(path + " is in use by another process");
            }
        } catch (OverlappingFileLockException ours) {
            lockFile.close();
            throw new IOException(path + " is in use by this process", ours);
        } catch (IOException unusable) {
            lockFile.close();
            throw unusable;
        }
        return new ProcessDirectory(path, lockFile, true);
    }

    /** The numbers of the segments that are there, in order. */
    List<Integer> segments() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, SEGMENT + "*")) {
            for (Path file : files) {
                String number = file.getFileName().toString().substring(SEGMENT.length());
                if (number.matches("[0-9]{1,9}")) {
                    numbers.add(Integer.valueOf(number));
                }
            }
        }
        numbers.sort(Comparator.naturalOrder());
        return numbers;
    }

    /** A new file, for its owner only, open to be written and read. */
    static FileChannel create(Path file) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
        return FileChannel.open(file, options, OwnerOnly.file());
    }

    /** Whether the process whose directory that is lives; yes if it can't be known. Not for a process's own. */
    public static boolean isInUse(Path directory) {
        try (FileChannel lockFile = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException | IOException unknown) {
            return true;
        }
    }

    private static void removeStale(Path parent, String prefix) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path directory : found) {
                // Whoever looks at a lock of its own gives it up: a process loses its locks on a file that it closes.
                if (!directory.getFileName().toString().startsWith(prefix + OURS)) {
                    removeIfStale(directory);
                }
            }
        }
    }

    /** Holds the lock meanwhile, so that nobody takes the directory for its own before it is gone. */
    private static void removeIfStale(Path directory) {
        try (FileChannel lockFile = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            if (lock != null) {
                LOG.info("removing {}, left behind by a process that died", directory);
                remove(directory);
            }
        } catch (OverlappingFileLockException | IOException unknown) {
            // being made or being removed by another process, or not ours to touch
            LOG.debug("{} stays", directory, unknown);
        }
    }

    private static void remove(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException gone) {
            LOG.debug("{} is gone", directory);
        } catch (IOException stays) {
            LOG.warn("{} couldn't be removed: {}", directory, stays.toString());
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    Path segment(int number) {
        return path.resolve(SEGMENT + number);
    }

    /** Removes it with all its files, unless it is kept. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            LOG.debug("the lock in {} couldn't be closed", path, e);
        }
        if (!kept) {
            remove(path);
        }
    }
}
