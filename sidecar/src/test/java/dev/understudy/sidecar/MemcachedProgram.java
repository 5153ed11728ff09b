package dev.understudy.sidecar;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

import static dev.understudy.sidecar.Patience.PATIENCE;
import static dev.understudy.sidecar.Patience.await;

/** A real memcached on a loopback port. */
final class MemcachedProgram implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/memcached");

    private final int port;
    private final Process process;

    private MemcachedProgram(int port) throws IOException {
        this.port = port;
        this.process = new ProcessBuilder(
                        PROGRAM.toString(), "-u", "root", "-l", "127.0.0.1", "-p", Integer.toString(port), "-U", "0")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await("memcached").until(() -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return probe.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    /** Skips the test where there is none, unless {@code understudy.programs=required}. */
    static MemcachedProgram open() throws IOException {
        boolean there = Files.isExecutable(PROGRAM);
        if (!there && System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException("memcached: not installed, and understudy.programs=required");
        }
        Assumptions.assumeTrue(there, "memcached: not installed");
        return new MemcachedProgram(Stage.nobody().getPort());
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Keeps {@code value} as {@code key}. */
    void holds(String key, String value) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            PlainServer.write(socket, "set " + key + " 0 0 " + value.length() + "\r\n" + value + "\r\n");
            PlainServer.readUntil(socket, "STORED\r\n");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
