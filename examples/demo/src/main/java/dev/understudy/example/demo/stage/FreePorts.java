package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Loopback ports that nobody listens on. They lie below those that a kernel gives to outgoing connections, so that one
 * that is free stays free until its server listens. Each JVM has a block of its own, whose first port it keeps for as
 * long as it lives.
 */
final class FreePorts {
    private static final int FIRST = 22_000;
    private static final int LAST = 32_000;
    private static final int BLOCK = 100;

    private static @Nullable ServerSocket claim;
    private static int given;

    /** One that isn't given out again soon. */
    int next() throws StartFailed {
        try {
            return free();
        } catch (IOException e) {
            throw new StartFailed("No free loopback port", e);
        }
    }

    private static synchronized int free() throws IOException {
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
