package dev.understudy.aggregator;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that have to be told one. They lie below those that the system gives to whoever asks for any, so that
 * nobody takes one before its server does.
 */
final class FreePort {
    private static final int FIRST = 11_000;
    private static final int COUNT = 20_000;

    /** Test JVMs beside each other begin at different ones. */
    private static final AtomicInteger NEXT = new AtomicInteger(new Random().nextInt(COUNT));

    private FreePort() {}

    static int next() throws IOException {
        while (true) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (BindException taken) {
            return false;
        }
    }
}
