package dev.understudy.example.demo.stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** A real Redis, in which the application has a user of its own. */
public final class Cache implements AutoCloseable {
    static final String USER = "orders";
    static final String PASSWORD = "break-a-leg";

    private static final String OPERATOR_PASSWORD = "prompt-side";
    private static final int TIMEOUT_MILLIS = 30_000;

    private final RedisServer server;
    private final int port;

    private Cache(RedisServer server, int port) {
        this.server = server;
        this.port = port;
    }

    static Cache start(Folder folder, int port) throws StartFailed {
        try {
            RedisServer server = RedisServer.newRedisServer()
                    .executableProvider(ExecutableProvider.newJarResourceProvider(
                            folder.file("tmp").toFile()))
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("dir " + folder.path())
                    .setting("save \"\"")
                    .setting("requirepass " + OPERATOR_PASSWORD)
                    .setting("user " + USER + " on >" + PASSWORD + " ~product:* ~recent:* +@all")
                    .build();
            server.start();
            return new Cache(server, port);
        } catch (IOException | RuntimeException e) {
            throw new StartFailed(
                    "The embedded Redis didn't start (its binary needs a temp folder in which programs may run: "
                            + folder.path() + "; another one can be chosen by TMPDIR)",
                    e);
        }
    }

    public int port() {
        return port;
    }

    /** The lines of a bulk reply, as {@code INFO} and {@code CLIENT LIST} give it. */
    public List<String> lines(String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            Writer out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
            out.write("AUTH " + OPERATOR_PASSWORD + "\r\n" + command + "\r\nQUIT\r\n");
            out.flush();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> lines = new ArrayList<>(in.lines().toList());
            if (lines.size() < 2 || !lines.get(0).equals("+OK") || !lines.get(1).startsWith("$")) {
                throw new IOException(command + " was answered by " + lines);
            }
            return List.copyOf(lines.subList(2, lines.size() - 1));
        }
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException e) {
            System.err.println("Redis didn't stop: " + e);
        }
    }
}
