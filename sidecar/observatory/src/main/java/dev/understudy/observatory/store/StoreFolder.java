package dev.understudy.observatory.store;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a store. One process writes at a time. What an origin has is replaced as a whole: segments are written
 * beside; what counts changes in one step, by a file that names the segments that don't; and nothing that counts is
 * deleted while somebody reads. A writer that is killed leaves the one or the other; the next one finishes its work.
 */
public final class StoreFolder {
    private static final String LOCK = ".lock";
    private static final String READERS = ".readers";
    private static final String UNFINISHED = ".unfinished-";

    /** Names of segments that don't count: not yet, or not any more. */
    private static final String UNCOUNTED = ".uncounted";

    /**
     * Another text whenever something is about to be deleted. A file of its own: whoever closes a file that is locked
     * gives up its process's locks.
     */
    private static final String DELETION = ".deletion";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long RETRY_MILLIS = 10;
    private static final int BLOCK = 1 << 16;

    private final Path folder;
    private final Duration patience;

    /** @param folder may be missing: then the store is empty */
    public StoreFolder(Path folder) {
        this(folder, PATIENCE);
    }

    /** @param patience how long one who reads or deletes waits for others */
    StoreFolder(Path folder, Duration patience) {
        this.patience = patience;
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
        @SuppressWarnings("try") // the lock is held
        void replace(String origin, List<Unfinished> files) throws IOException {
            String digest = TableFileName.digest(origin);
            Set<Path> before = segments().stream()
                    .filter(segment -> segment.name().origin().equals(digest))
                    .map(Segment::file)
                    .collect(Collectors.toSet());
            Map<Path, Path> moves = new LinkedHashMap<>();
            for (Unfinished rows : files) {
                TableFileName name = new TableFileName(rows.table(), rows.firstMicros(), digest, checksum(rows.file()));
                force(rows.file());
                moves.put(folder.resolve(name.toString()), rows.file());
            }
            uncount(moves.keySet().stream()
                    .filter(file -> !before.contains(file))
                    .toList());
            for (Map.Entry<Path, Path> move : moves.entrySet()) {
                Files.move(
                        move.getValue(),
                        move.getKey(),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
            try (Reading deleting = lock(false)) {
                uncount(before.stream().filter(file -> !moves.containsKey(file)).toList());
                deleteUncounted();
            }
        }

        /**
         * Deletes segments, the earliest first, until the rest has at most so many bytes.
         *
         * @return those deleted
         */
        @SuppressWarnings("try") // the lock is held
        public List<Segment> trim(long mostBytes) throws IOException {
            List<Segment> byTime = new ArrayList<>(segments());
            byTime.sort(Comparator.comparingLong(Segment::firstMicros));
            long bytes = byTime.stream().mapToLong(Segment::bytes).sum();
            List<Segment> deleted = new ArrayList<>();
            try (Reading deleting = lock(false)) {
                for (Segment earliest : byTime) {
                    if (bytes <= mostBytes) {
                        break;
                    }
                    Files.deleteIfExists(earliest.file());
                    bytes -= earliest.bytes();
                    deleted.add(earliest);
                }
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

    /** While this is open, nothing that counts is deleted. */
    public static final class Reading implements AutoCloseable {
        private final @Nullable FileChannel channel;

        private Reading(@Nullable FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }

    /**
     * Keeps what the store has until the result is closed. Waits while another process deletes segments, for two
     * minutes at most.
     *
     * @throws IOException if the folder can't be read
     */
    public Reading read() throws IOException {
        return Files.exists(folder.resolve(READERS)) ? lock(true) : new Reading(null);
    }

    /** Waits for who deletes, or, to delete, for all who read. */
    private Reading lock(boolean shared) throws IOException {
        Path file = folder.resolve(READERS);
        FileChannel channel = shared
                ? FileChannel.open(file, StandardOpenOption.READ)
                : FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file());
        try {
            long begun = System.nanoTime();
            while (!tryLock(channel, shared)) {
                if (System.nanoTime() - begun > patience.toNanos()) {
                    throw new IOException(folder + ": another process still " + (shared ? "deletes from" : "reads")
                            + " this store after " + patience.toSeconds() + " s (try again when it has ended)");
                }
                Thread.sleep(RETRY_MILLIS);
            }
            if (!shared) {
                String next = UUID.randomUUID().toString();
                OwnerOnly.replace(folder.resolve(DELETION), next.getBytes(StandardCharsets.UTF_8));
            }
            return new Reading(channel);
        } catch (InterruptedException stopped) {
            channel.close();
            Thread.currentThread().interrupt();
            throw new IOException("stopped while another process used " + folder, stopped);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private static boolean tryLock(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
        } catch (OverlappingFileLockException here) {
            return false;
        }
    }

    /**
     * Makes the folder if it is missing, for its owner alone, and keeps other writers out.
     *
     * @throws IOException if it can't be written, or another process writes to it
     */
    @SuppressWarnings("try") // the lock is held
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
            try (Reading deleting = lock(false)) {
                deleteUncounted();
            }
            return new Writing(lock);
        } catch (OverlappingFileLockException here) {
            lock.close();
            throw inUse();
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    /** Its segments in the order of their names, as they were at one moment. Files with other names are nobody's. */
    public List<Segment> segments() throws IOException {
        while (true) {
            String deletion = deletion();
            List<Path> uncounted = uncounted();
            List<Segment> segments = segmentsBut(Set.copyOf(uncounted));
            // while the files were listed, a writer may have changed what counts, and may have changed it back
            if (uncounted().equals(uncounted) && deletion().equals(deletion)) {
                return segments;
            }
        }
    }

    private String deletion() throws IOException {
        try {
            return Files.readString(folder.resolve(DELETION));
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    private List<Segment> segmentsBut(Set<Path> uncounted) throws IOException {
        List<Segment> segments = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                TableFileName name = TableFileName.parse(file.getFileName().toString());
                if (name != null && !uncounted.contains(file) && Files.isRegularFile(file)) {
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

    private List<Path> uncounted() throws IOException {
        try {
            return Files.readAllLines(folder.resolve(UNCOUNTED)).stream()
                    .filter(line -> TableFileName.parse(line) != null)
                    .map(folder::resolve)
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    /** From now on these don't count, and no others. */
    private void uncount(List<Path> segments) throws IOException {
        String names =
                segments.stream().map(segment -> segment.getFileName() + "\n").collect(Collectors.joining());
        OwnerOnly.replace(folder.resolve(UNCOUNTED), names.getBytes(StandardCharsets.UTF_8));
    }

    private void deleteUncounted() throws IOException {
        for (Path segment : uncounted()) {
            Files.deleteIfExists(segment);
        }
        Files.deleteIfExists(folder.resolve(UNCOUNTED));
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
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
