package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends blocks to a recording, on a thread of its own.
 *
 * <pre>
 *   file     header · block · block · …
 *   header   magic "USTREAM1" · epoch milliseconds · nanoTime of the same moment · CRC-32C of all that
 * </pre>
 *
 * <p>A file that reached its greatest size, or whose disk failed, takes no more; that is logged once. Thread-safe. What
 * is to be written is bounded by the callers, who wait to be told that it was.
 */
public final class RecordingWriter implements AutoCloseable {
    static final long MAGIC = 0x5553545245414D31L;
    static final int HEADER = 28;

    private static final Logger LOG = LoggerFactory.getLogger(RecordingWriter.class);

    private final Path file;
    private final FileChannel channel;
    private final long most;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "understudy-record");
        created.setDaemon(true);
        return created;
    });
    private volatile long bytes = HEADER;
    private final AtomicLong dropped = new AtomicLong();
    private volatile String ended = "";
    private volatile Consumer<String> atEnd = reason -> {};

    private RecordingWriter(Path file, FileChannel channel, long most) {
        this.file = file;
        this.channel = channel;
        this.most = most;
    }

    /**
     * A new recording.
     *
     * @param file must not be there yet; it is readable by its owner only
     * @param most bytes that the file may have
     * @throws IOException if there can't be such a file
     */
    public static RecordingWriter create(Path file, long most) throws IOException {
        FileChannel channel = ProcessDirectory.create(file);
        try {
            channel.write(header(System.currentTimeMillis(), System.nanoTime()));
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
        return new RecordingWriter(file, channel, most);
    }

    static ByteBuffer header(long epochMillis, long nanos) {
        ByteBuffer header =
                ByteBuffer.allocate(HEADER).putLong(MAGIC).putLong(epochMillis).putLong(nanos);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, header.position());
        return header.putInt((int) crc.getValue()).flip();
    }

    /** Has {@code told} the reason, on the recording's own thread, when it takes no more. */
    public void atEnd(Consumer<String> told) {
        atEnd = told;
    }

    /** Why it takes no more, or "" while it does. */
    public String ended() {
        return ended;
    }

    /** Bytes in the file. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of blocks that didn't get into it. */
    public long dropped() {
        return dropped.get();
    }

    /**
     * Appends {@code block}, whose ownership it takes.
     *
     * @param done is run on {@code whence} once it was written, or couldn't be
     */
    public void append(ByteBuf block, Executor whence, Runnable done) {
        try {
            thread.execute(() -> {
                write(block);
                tell(whence, done);
            });
        } catch (RejectedExecutionException closed) {
            block.release();
        }
    }

    private void write(ByteBuf block) {
        int length = block.readableBytes();
        try {
            if (ended.isEmpty() && bytes + length > most) {
                LOG.warn("{} has its greatest size: nothing more is recorded", file);
                end("it has its greatest size, " + most + " bytes");
            }
            if (!ended.isEmpty()) {
                dropped.addAndGet(length);
                return;
            }
            long at = bytes;
            for (ByteBuffer left = block.nioBuffer(); left.hasRemaining(); ) {
                at += channel.write(left, at);
            }
            bytes = at;
        } catch (IOException failed) {
            dropped.addAndGet(length);
            cutOff();
            LOG.warn("{} can't be written, nothing more is recorded: {}", file, failed.toString());
            end("it can't be written: " + failed.getMessage());
        } finally {
            block.release();
        }
    }

    /** Leaves no half of a block behind; a file that can't be cut is read up to there all the same. */
    private void cutOff() {
        try {
            channel.truncate(bytes);
        } catch (IOException failed) {
            LOG.debug("{} ends with half a block", file, failed);
        }
    }

    private void end(String reason) {
        ended = reason;
        atEnd.accept(reason);
    }

    /** Closes the file once what was given so far is written, without waiting for that; {@code done} is run then. */
    public void finish(Runnable done) {
        thread.execute(() -> {
            closeFile();
            done.run();
        });
        thread.shutdown();
    }

    private static void tell(Executor whence, Runnable done) {
        try {
            whence.execute(done);
        } catch (RejectedExecutionException stopped) {
            LOG.debug("nobody waits for the recording any more");
        }
    }

    /** Writes what it was given, for some seconds at most, and closes the file. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        closeFile();
    }

    private void closeFile() {
        try {
            channel.close();
        } catch (IOException failed) {
            LOG.warn("{} couldn't be closed: {}", file, failed.toString());
        }
    }
}
