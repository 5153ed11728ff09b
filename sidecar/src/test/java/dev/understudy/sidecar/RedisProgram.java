package dev.understudy.sidecar;

import dev.understudy.relay.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

import static dev.understudy.sidecar.Patience.PATIENCE;
import static dev.understudy.sidecar.Patience.await;

/** A real redis-server on a loopback port, that may be killed and started again. */
final class RedisProgram implements AutoCloseable {

    private final int port;
    private final List<String> options;
    private Process process;

    private RedisProgram(int port, List<String> options) throws IOException {
        this.port = port;
        this.options = options;
        this.process = start();
    }

    /** Skips the test where there is none, unless {@code understudy.programs=required}. */
    static RedisProgram open(String... options) throws IOException {
        boolean there = Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "redis-server")));
        if (!there && System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException("redis-server: not installed, and understudy.programs=required");
        }
        Assumptions.assumeTrue(there, "redis-server: not installed");
        return new RedisProgram(Ports.free(), List.of(options));
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>(
                List.of("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--databases", "16"));
        command.addAll(options);
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await("redis-server").until(() -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                probe.setSoTimeout(1000);
                PlainServer.write(probe, "PING\r\n");
                return probe.getInputStream().read() > 0;
            } catch (IOException notYet) {
                return false;
            }
        });
        return started;
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** As {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void startAgain() throws IOException {
        process = start();
    }

    /** What it says to {@code commands}, one after the other on a connection of its own: the last answer. */
    String says(String... commands) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            for (String command : commands) {
                PlainServer.write(socket, command + "\r\n");
            }
            PlainServer.write(socket, "QUIT\r\n");
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return all.substring(0, all.length() - "+OK\r\n".length());
        }
    }

    @Override
    public void close() {
        kill();
    }
}
