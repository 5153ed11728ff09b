package dev.understudy.aggregator;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Sockets for pgjdbc, which makes this by its name, that tell what their thread named how much was read. */
public final class PacedSockets extends SocketFactory {
    /** Is told of the connections that a thread opens. */
    static final ThreadLocal<LongText.Progress> PROGRESS = ThreadLocal.withInitial(() -> bytes -> {});

    private final LongText.Progress progress = PROGRESS.get();

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return new Counted(super.getInputStream(), progress);
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    private static final class Counted extends FilterInputStream {
        private final LongText.Progress progress;
        private long read;

        Counted(InputStream in, LongText.Progress progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int some = super.read(bytes, from, length);
            read += Math.max(0, some);
            progress.written(read);
            return some;
        }
    }
}
