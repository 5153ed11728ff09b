package dev.understudy.example.demo.load;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what was read from a socket. */
final class CountingStream extends FilterInputStream {
    private long count;

    CountingStream(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count += read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        count += Math.max(0, read);
        return read;
    }
}
