package dev.understudy.observatory.store;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The folder of a store. Segments are written beside and come to their name in one step, so whoever reads the folder
 * finds whole ones. One process writes at a time.
 */
public final class StoreFolder {
    private static final String LOCK = ".lock";
    private static final String UNFINISHED = ".unfinished-";
    private static final int BLOCK = 1 << 16;

    private final Path folder;

    /** @param folder may be missing: then the store is empty */
    public StoreFolder(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** Where it is. */
    public Path path() {
        return folder;
    }

    /**
     * A file in it.
     *
     * @param table whose rows it has
     * @param firstMicros when its first row was, epoch microseconds
     * @param bytes its size
     */
    public record Segment(Path file, StoreTable table, long firstMicros, long bytes) {
        private TableFileName name() {
            return Objects.requireNonNull(TableFileName.parse(file.getFileName().toString()));
        }
    }

    /**
     * Rows in a file that is no segment yet.
     *
     * @param firstMicros when its first row was, epoch microseconds, at least 0
     */
    record Unfinished(Path file, StoreTable table, long firstMicros) {}

    /** What one process may do to the folder while it has this. */
    public final class Writing implements AutoCloseable {
        private final FileChannel lock;

        private Writing(FileChannel lock) {
            this.lock = lock;
        }

        /** A file for rows that have no segment yet. Gone when this is closed, unless it became a segment. */
        Path unfinished() throws IOException {
            return Files.createTempFile(folder, UNFINISHED, "", OwnerOnly.file());
        }

        /**
         * Makes files segments, in the place of all that the store has of their origin.
         *
         * @param origin where all their rows are from
         */
        void replace(String origin, List<Unfinished> files) throws IOException {
            String digest = TableFileName.digest(origin);
            List<Segment> before = segments().stream()
                    .filter(segment -> segment.name().origin().equals(digest))
                    .toList();
            Set<Path> added = new HashSet<>();
            for (Unfinished rows : files) {
                TableFileName name = new TableFileName(rows.table(), rows.firstMicros(), digest, checksum(rows.file()));
                Path file = folder.resolve(name.toString());
                Files.move(rows.file(), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                added.add(file);
            }
            for (Segment replaced : before) {
                if (!added.contains(replaced.file())) {
                    Files.deleteIfExists(replaced.file());
                }
            }
        }

        /**
         * Deletes segments, the earliest first, until the rest has at most so many bytes.
         *
         * @return those deleted
         */
        public List<Segment> trim(long mostBytes) throws IOException {
            List<Segment> byTime = new ArrayList<>(segments());
            byTime.sort(Comparator.comparingLong(Segment::firstMicros));
            long bytes = byTime.stream().mapToLong(Segment::bytes).sum();
            List<Segment> deleted = new ArrayList<>();
            for (Segment earliest : byTime) {
                if (bytes <= mostBytes) {
                    break;
                }
                Files.deleteIfExists(earliest.file());
                bytes -= earliest.bytes();
                deleted.add(earliest);
            }
            return deleted;
        }

        @Override
        public void close() throws IOException {
            try (lock) {
                deleteUnfinished();
            }
        }
    }

    /**
     * Makes the folder if it is missing, for its owner alone, and keeps other writers out.
     *
     * @throws IOException if it can't be written, or another process writes to it
     */
    public Writing write() throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, OwnerOnly.directory());
        }
        FileChannel lock = FileChannel.open(
                folder.resolve(LOCK), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file());
        try {
            if (lock.tryLock() == null) {
                throw inUse();
            }
            // what a writer left that was killed
            deleteUnfinished();
            return new Writing(lock);
        } catch (OverlappingFileLockException here) {
            lock.close();
            throw inUse();
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    /** Its segments in the order of their names. Files with other names are nobody's. */
    public List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                TableFileName name = TableFileName.parse(file.getFileName().toString());
                if (name != null && Files.isRegularFile(file)) {
                    segments.add(new Segment(file, name.table(), name.firstMicros(), size(file)));
                }
            }
        } catch (NoSuchFileException missing) {
            return List.of();
        }
        return segments;
    }

    /** Whether a segment has the bytes that it was written with. */
    public static boolean isWhole(Segment segment) throws IOException {
        return checksum(segment.file()) == segment.name().checksum();
    }

    private IOException inUse() {
        return new IOException(folder + ": another process writes to this store (try again when it has ended)");
    }

    private void deleteUnfinished() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getFileName().toString().startsWith(UNFINISHED)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** 0 for one that was deleted meanwhile. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException deleted) {
            return 0;
        }
    }

    private static int checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        try (FileChannel channel = FileChannel.open(file)) {
            while (channel.read(block.clear()) >= 0) {
                crc.update(block.flip());
            }
        }
        return (int) crc.getValue();
    }
}
