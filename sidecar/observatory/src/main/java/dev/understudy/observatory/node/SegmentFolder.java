package dev.understudy.observatory.node;

import dev.understudy.observatory.sample.SegmentName;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder that segments are written to, by one process at a time, and its bound. Only files that are named as
 * segments count, and only they are deleted. One thread.
 */
final class SegmentFolder implements AutoCloseable {
    /** The least bound, in bytes. */
    static final long LEAST = 1 << 20;

    private static final String LOCK = ".node.lock";

    /** A segment is an eighth of the bound at most, and two of them grow. */
    private static final int SHARES = 8;

    private final Path folder;
    private final long keep;
    private final FileChannel lock;

    private SegmentFolder(Path folder, long keep, FileChannel lock) {
        this.folder = folder;
        this.keep = keep;
        this.lock = lock;
    }

    /**
     * Opens a folder, and makes one if there is none.
     *
     * @param keep what all segments may take together, in bytes, at least {@link #LEAST}
     * @throws IOException if it can't be written to, or another process does; says the way out
     */
    static SegmentFolder open(Path folder, long keep) throws IOException {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, OwnerOnly.directory());
            }
        } catch (IOException refused) {
            throw new IOException(
                    folder + ": can't be made (" + refused + "; expected: a folder, new or writable)", refused);
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    folder.resolve(LOCK),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                    OwnerOnly.file());
        } catch (IOException refused) {
            throw new IOException(
                    folder + ": can't be written to (" + refused + "; expected: a folder that this user may write to)",
                    refused);
        }
        if (!isFree(channel)) {
            channel.close();
            throw new IOException(folder + ": another sampler writes there (expected: a folder of its own)");
        }
        return new SegmentFolder(folder, keep, channel);
    }

    private static boolean isFree(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException sameProcess) {
            return false;
        }
    }

    /** What a segment may grow to, in bytes. */
    long segmentBytes() {
        return keep / SHARES;
    }

    /**
     * Begins a segment, for which older ones go if the folder would be too full.
     *
     * @param kind {@code host} or {@code process}
     * @param millis its first moment, epoch milliseconds
     * @param open those that aren't complete
     * @throws IOException if there is no room, or it can't be written to
     */
    Path create(String kind, long millis, Set<Path> open) throws IOException {
        makeRoom(open);
        // after a step of the clock there may be one of that moment
        for (long name = millis; ; name++) {
            Path file = folder.resolve(new SegmentName(kind, name).fileName());
            try {
                return Files.createFile(file, OwnerOnly.file());
            } catch (FileAlreadyExistsException taken) {
                if (name > millis + 1000) {
                    throw taken;
                }
            }
        }
    }

    private void makeRoom(Set<Path> open) throws IOException {
        List<Path> segments = segments();
        long left = 0;
        for (Path segment : segments) {
            left += open.contains(segment) ? 0 : Files.size(segment);
        }
        for (Path oldest : segments) {
            if (left <= keep - 2 * segmentBytes()) {
                return;
            }
            if (!open.contains(oldest)) {
                left -= Files.size(oldest);
                Files.delete(oldest);
            }
        }
    }

    /** The oldest first, by their names. */
    private List<Path> segments() throws IOException {
        List<SegmentName> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> SegmentName.of(file.getFileName().toString()))
                    .flatMap(Optional::stream)
                    .forEach(names::add);
        }
        names.sort(Comparator.comparingLong(SegmentName::millis));
        return names.stream().map(name -> folder.resolve(name.fileName())).toList();
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException gone) {
            // the lock goes with the process
        }
    }
}
