package dev.understudy.relay;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/** Ports on which nobody listens, for servers that begin later or come back; the kernel gives them to nobody else meanwhile. */
public final class Ports {
    private static final Path GIVEN_BY_THE_KERNEL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;

    private Ports() {}

    /** One of loopback, below those that whoever asks for any gets, clients included. */
    public static int free() throws IOException {
        int beyond = firstGiven();
        int port = ThreadLocalRandom.current().nextInt(LOWEST, beyond);
        while (isTaken(port)) {
            port = ThreadLocalRandom.current().nextInt(LOWEST, beyond);
        }
        return port;
    }

    private static boolean isTaken(int port) throws IOException {
        try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort() != port;
        } catch (BindException taken) {
            return true;
        }
    }

    private static int firstGiven() throws IOException {
        try (Scanner range = new Scanner(Files.readString(GIVEN_BY_THE_KERNEL))) {
            return Math.max(range.nextInt(), LOWEST + 1000);
        }
    }
}
