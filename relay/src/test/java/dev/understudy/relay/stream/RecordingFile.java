package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A recording as the recorder writes it, with stamps of the test's choice: microseconds after it was begun. */
public final class RecordingFile implements AutoCloseable {
    private final Path file;
    private final RecordingWriter writer;
    private final long nanos;
    private final long epochMicros;

    public RecordingFile(Path file) throws IOException {
        this.file = file;
        writer = RecordingWriter.create(file, 1L << 30);
        try (RecordingReader begun = RecordingReader.open(file)) {
            nanos = begun.nanos();
            epochMicros = begun.epochMillis() * 1000;
        }
    }

    /** The wall clock when it was begun. */
    public long epochMicros() {
        return epochMicros;
    }

    /** Something that happened on a connection. */
    public RecordingFile add(long connection, StreamEvent event, long micros, String bytes) {
        ByteBuf data = Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1);
        BlockWriter block = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, connection, 1 << 20);
        block.add(event, nanos + micros * 1000, data, data.readableBytes());
        data.release();
        writer.append(block.finish(), Runnable::run, () -> {});
        return this;
    }

    /** A connection that is accepted; {@link #close(long, long)} ends it. */
    public RecordingFile open(long connection, long micros) {
        return add(connection, StreamEvent.OPENED, micros, "127.0.0.1:1 127.0.0.1:2");
    }

    /** The end of a connection. */
    public RecordingFile close(long connection, long micros) {
        return add(connection, StreamEvent.CLOSED, micros, "CLIENT");
    }

    /** A request of HTTP/1 and its reply. */
    public RecordingFile exchange(long connection, String path, long start, long end) {
        return add(connection, StreamEvent.REQUEST, start, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n")
                .add(connection, StreamEvent.REPLY, end, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    public Path file() {
        return file;
    }

    @Override
    public void close() {
        CountDownLatch written = new CountDownLatch(1);
        writer.finish(written::countDown);
        try {
            if (!written.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the recording wasn't written");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        writer.close();
    }
}
