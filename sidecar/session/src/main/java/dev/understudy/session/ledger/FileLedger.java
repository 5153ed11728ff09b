package dev.understudy.session.ledger;

import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A session's ledger: a file of JSON lines, each forced to disk before what it names is made.
 *
 * <p>A lock on a file beside it lasts as long as the session's process. Guarded by itself.
 */
public final class FileLedger implements Ledger, AutoCloseable {
    static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
    static final String FILE = "ledger.jsonl";
    static final String LOCK = "lock";

    /** From this size on the file is written anew, with what is still there. */
    private static final int REWRITE_BYTES = 1 << 20;

    private final SessionHeader header;
    private final Path directory;
    private final FileChannel lock;
    private final Removals removals;
    private final Map<Integer, LedgerEntry> entries = new TreeMap<>();
    private FileChannel file;
    private int last;
    private boolean isClosed;

    private FileLedger(SessionHeader header, Path directory, FileChannel lock, FileChannel file) {
        this.header = header;
        this.directory = directory;
        this.lock = lock;
        this.file = file;
        this.removals = new Removals(header, directory);
    }

    /** Makes the files in a new directory, which gets its own name only when they are complete. */
    static FileLedger create(SessionHeader header, Path unfinished, Path directory) throws IOException {
        FileChannel lock =
                FileChannel.open(unfinished.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() == null) {
                throw new IOException(unfinished + ": locked by another process");
            }
            FileChannel file = FileChannel.open(
                    unfinished.resolve(FILE), StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
            append(file, LedgerFile.line(header));
            Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
            force(directory);
            force(directory.resolveSibling("."));
            return new FileLedger(header, directory, lock, file);
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    /** Eight hexadecimal digits that name this session on the machine. */
    public String session() {
        return header.session();
    }

    /** What is debugged, as it was named. */
    public String target() {
        return header.target();
    }

    /** The session's directory, of mode 0700. It is deleted when nothing is left of the session. */
    public Path directory() {
        return directory;
    }

    /** The session's own directory for images. */
    public Path images() {
        return header.images();
    }

    /** What is there now, in the order in which it was made. */
    public synchronized List<LedgerEntry> entries() {
        return List.copyOf(entries.values());
    }

    @Override
    public synchronized LedgerEntry add(Kind kind, String... words) {
        if (words.length > LedgerFile.MOST_WORDS) {
            throw new IllegalArgumentException(
                    "words: " + words.length + " (expected: at most " + LedgerFile.MOST_WORDS + ")");
        }
        for (String word : words) {
            if (word.length() > LedgerFile.LONGEST_WORD) {
                throw new IllegalArgumentException("a word of " + word.length() + " characters (expected: at most "
                        + LedgerFile.LONGEST_WORD + ")");
            }
        }
        LedgerEntry entry = new LedgerEntry(last + 1, kind, List.of(words));
        write(LedgerFile.line(entry));
        last = entry.id();
        entries.put(entry.id(), entry);
        return entry;
    }

    @Override
    public synchronized void remove(LedgerEntry entry) {
        if (!isClosed && entries.remove(entry.id()) != null) {
            write(LedgerFile.goneLine(entry.id()));
        }
    }

    @Override
    public boolean undo(LedgerEntry entry) throws InterruptedException {
        try {
            removals.remove(entry);
        } catch (RemovalException left) {
            return false;
        }
        remove(entry);
        return true;
    }

    /**
     * Undoes all that is there, the last first, deletes the session's directory if nothing is left, and gives up the
     * lock.
     */
    public UndoResult finish() throws InterruptedException {
        UndoResult result = removals.removeAll(entries(), this::remove);
        close();
        return result.isComplete() ? removals.removeDirectory(result) : result;
    }

    /** Gives up the lock. What is still there can be removed by {@link Sessions#undo}. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        FileChannel lines = file;
        try (lock;
                lines) {
            write(LedgerFile.closedLine());
            isClosed = true;
        } catch (IOException unclosed) {
            throw new UncheckedIOException(directory + ": " + unclosed.getMessage(), unclosed);
        }
    }

    private void write(String line) {
        try {
            if (file.size() > REWRITE_BYTES) {
                rewrite();
            }
            append(file, line);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(
                    directory.resolve(FILE) + ": can't be written: " + unwritable.getMessage(), unwritable);
        }
    }

    private void rewrite() throws IOException {
        StringBuilder text = new StringBuilder(LedgerFile.line(header));
        entries.values().forEach(entry -> text.append(LedgerFile.line(entry)));
        Path next = directory.resolve(FILE + ".new");
        Files.deleteIfExists(next);
        FileChannel written = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
        append(written, text.toString());
        Files.move(next, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        force(directory);
        file.close();
        file = written;
    }

    static void append(FileChannel file, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
        file.force(true);
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
