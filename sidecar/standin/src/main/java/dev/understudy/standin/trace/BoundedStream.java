package dev.understudy.standin.trace;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that breaks where it is longer than was agreed. Confined to one thread. */
final class BoundedStream extends FilterInputStream {
    private final long most;
    private final String otherwise;
    private long bytes;

    /**
     * @param most how many bytes there may be
     * @param otherwise what is expected instead of more
     */
    BoundedStream(InputStream in, long most, String otherwise) {
        super(in);
        this.most = most;
        this.otherwise = otherwise;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int read = super.read(into, from, length);
        count(Math.max(0, read));
        return read;
    }

    @Override
    public long skip(long length) throws IOException {
        long skipped = super.skip(length);
        count(skipped);
        return skipped;
    }

    private void count(long read) throws IOException {
        bytes += read;
        if (bytes > most) {
            throw new IOException("more than " + most + " bytes (expected: " + otherwise + ")");
        }
    }
}
