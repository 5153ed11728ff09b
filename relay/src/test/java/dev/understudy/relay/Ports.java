package dev.understudy.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Loopback ports for servers that have to be given one, or that begin later or come back. They lie below those that a
 * kernel gives to outgoing connections. Each JVM has a block of its own, whose first port it keeps for as long as it
 * lives.
 */
public final class Ports {
    private static final int FIRST = 10_000;
    private static final int LAST = 12_000;
    private static final int BLOCK = 100;

    private static @Nullable ServerSocket claim;
    private static int given;

    private Ports() {}

    /** One that nobody listens on, and that isn't given out again soon. */
    public static synchronized int free() throws IOException {
        ServerSocket own = claim;
        if (own == null) {
            own = claim();
            claim = own;
        }
        for (int tried = 0; tried < BLOCK; tried++) {
            int port = own.getLocalPort() + 1 + given++ % (BLOCK - 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IOException("all are taken from " + own.getLocalPort() + " on");
    }

    private static ServerSocket claim() throws IOException {
        IOException last = new IOException();
        for (int first = FIRST; first < LAST; first += BLOCK) {
            try {
                return listen(first);
            } catch (IOException another) {
                last = another;
            }
        }
        throw last;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = listen(port)) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
