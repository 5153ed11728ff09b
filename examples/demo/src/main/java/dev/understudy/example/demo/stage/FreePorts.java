package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Loopback ports that nobody listened on a moment ago, each given out once. */
final class FreePorts {
    private final Set<Integer> given = new HashSet<>();

    int next() throws StartFailed {
        try {
            for (; ; ) {
                try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                    if (given.add(socket.getLocalPort())) {
                        return socket.getLocalPort();
                    }
                }
            }
        } catch (IOException e) {
            throw new StartFailed("No free loopback port", e);
        }
    }
}
