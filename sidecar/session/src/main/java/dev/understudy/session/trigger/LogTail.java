package dev.understudy.session.trigger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log from its end on, also when it is renamed and begun anew, or cut, and counts lines with a text. Confined
 * to one thread.
 */
final class LogTail implements AutoCloseable {
    /** Bytes that one look reads; of a log that grows faster the middle is left out. */
    static final int AT_ONCE = 4 << 20;

    private static final int LONGEST_LINE = 64 << 10;

    private final Path file;
    private final String text;
    private final int most;
    private final Deque<Long> hits = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private long position;

    /** @param most hits that are remembered */
    LogTail(Path file, String text, int most) {
        this.file = file;
        this.text = text;
        this.most = most;
        open(true);
    }

    /**
     * Reads what is new.
     *
     * @return whether as many hits as are remembered came in the time before now
     */
    boolean look(long withinNanos, long now) {
        try {
            readOn(now);
            if (isReplaced()) {
                readOn(now);
                close();
                open(false);
                readOn(now);
            }
        } catch (IOException unreadable) {
            close();
        }
        Long first = hits.peekFirst();
        return first != null && hits.size() >= most && now - first <= withinNanos;
    }

    /** Counts anew. */
    void forget() {
        hits.clear();
    }

    private void open(boolean atEnd) {
        try {
            FileChannel opened = FileChannel.open(file, StandardOpenOption.READ);
            channel = opened;
            key = key();
            position = atEnd ? opened.size() : 0;
            line.reset();
        } catch (IOException missing) {
            channel = null;
            key = null;
        }
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private boolean isReplaced() throws IOException {
        if (channel == null) {
            return Files.exists(file);
        }
        return Files.exists(file) && !Objects.equals(key(), key);
    }

    private void readOn(long now) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            return;
        }
        long size = open.size();
        if (size < position) {
            position = 0;
            line.reset();
        }
        if (size - position > AT_ONCE) {
            position = size - AT_ONCE;
            line.reset();
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) (size - position));
        while (bytes.hasRemaining()) {
            int read = open.read(bytes, position);
            if (read < 0) {
                break;
            }
            position += read;
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                end(now);
            } else if (line.size() < LONGEST_LINE) {
                line.write(next);
            }
        }
    }

    private void end(long now) {
        if (line.toString(StandardCharsets.UTF_8).contains(text)) {
            hits.add(now);
            if (hits.size() > most) {
                hits.remove();
            }
        }
        line.reset();
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException closed) {
                // nothing was written
            }
        }
    }
}
