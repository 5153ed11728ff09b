package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One file of {@code /proc} or {@code /sys} that stays open and is read again from its start: the kernel writes it anew
 * for each reading. One thread.
 */
public final class KernelFile implements AutoCloseable {
    /** What is read of one file at most; {@code /proc/stat} of a machine with 1 024 processors is about as long. */
    public static final int MOST = 1 << 18;

    /** Fewer bytes than this at once are a file's last: half of the smallest page. */
    private static final int CERTAIN_END = 2048;

    /** All files are read into one buffer, one after another, by the sampler's thread. */
    private static final ThreadLocal<ByteBuffer> BUFFER =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(MOST));

    private final FileChannel channel;

    private KernelFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens a file, and not what a link in its place leads to.
     *
     * @throws IOException if it isn't there, is a link, or may not be read
     */
    public static KernelFile open(Path path) throws IOException {
        return new KernelFile(FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Reads all of it, at most {@link #MOST} bytes.
     *
     * @param text gets what was read
     * @throws IOException if what it is about has gone, such as a process
     */
    public void read(KernelText text) throws IOException {
        ByteBuffer buffer = BUFFER.get().clear();
        // the kernel gives about a page at a time, and less only at the end: no line is longer than the rest of it
        int length = 0;
        int count = CERTAIN_END;
        while (count >= CERTAIN_END && buffer.hasRemaining()) {
            count = channel.read(buffer, length);
            length += Math.max(0, count);
        }
        buffer.flip().get(text.room(length), 0, length);
        text.begin(length);
    }

    /**
     * Reads some bytes at a place.
     *
     * @param bytes where they go, from its position on
     * @return how many there were, 0 at the end
     */
    public int read(ByteBuffer bytes, long place) throws IOException {
        return Math.max(0, channel.read(bytes, place));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException gone) {
            // it was only read
        }
    }
}
