package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Production and the debug copies: an nginx that serves files for each, a Redis, and debug sides in every bad state.
 */
public final class Backends implements Closeable {
    public static final int BULK_BYTES = 256 << 20;

    private final Path folder;
    private final List<Closeable> open = new ArrayList<>();
    private final int web;
    private final int debugWeb;
    private final int redis;
    private final int debugRedis;
    private final int silent;
    private final int blackHole;
    private final int dead;

    public Backends(Path folder) throws IOException {
        this.folder = folder;
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.write(files.resolve("1k"), new byte[1024]);
        Files.write(files.resolve("100k"), new byte[100 * 1024]);
        Files.write(files.resolve("bulk"), new byte[BULK_BYTES]);
        web = nginx("production", files);
        debugWeb = nginx("debug", files);
        redis = redis("redis");
        debugRedis = redis("debug-redis");
        silent = silentPort();
        blackHole = blackHolePort();
        dead = FreePorts.next();
    }

    public int web() {
        return web;
    }

    public int debugWeb() {
        return debugWeb;
    }

    public int redis() {
        return redis;
    }

    public int debugRedis() {
        return debugRedis;
    }

    /** Accepts and never reads. */
    public int silent() {
        return silent;
    }

    /** Its queue is full: the kernel answers no SYN. */
    public int blackHole() {
        return blackHole;
    }

    /** Nobody listens. */
    public int dead() {
        return dead;
    }

    /** One more production web server, for who listens in on its port. */
    int anotherWeb(String name) throws IOException {
        return nginx(name, files());
    }

    /** A web server of other files. */
    public int anotherWeb(String name, Path files) throws IOException {
        return nginx(name, files);
    }

    /** What production serves. */
    public Path files() {
        return folder.resolve("files");
    }

    private int nginx(String name, Path files) throws IOException {
        int port = FreePorts.next();
        open.add(Nginx.http(folder.resolve(name), List.of(), """
                keepalive_timeout 1h;
                server {
                    listen 127.0.0.1:%d backlog=4096;
                    root %s;
                    location = /post { return 200 "ok"; }
                    location = /served { stub_status; }
                }
                """.formatted(port, files))
                .awaitPort(port));
        return port;
    }

    private int redis(String name) throws IOException {
        if (!Tool.installed("redis-server")) {
            return FreePorts.next();
        }
        int port = FreePorts.next();
        Path home = Files.createDirectories(folder.resolve(name));
        open.add(Tool.start(
                        home,
                        List.of("redis-server", "--port", Integer.toString(port), "--save", "", "--appendonly", "no"))
                .awaitPort(port));
        return port;
    }

    private int silentPort() throws IOException {
        ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        server.setReceiveBufferSize(4096);
        open.add(server);
        Thread accepting = new Thread(() -> accept(server), "silent");
        accepting.setDaemon(true);
        accepting.start();
        return server.getLocalPort();
    }

    private static void accept(ServerSocket server) {
        List<Socket> kept = new ArrayList<>();
        try {
            while (true) {
                kept.add(server.accept());
            }
        } catch (IOException closed) {
            for (Socket socket : kept) {
                try {
                    socket.close();
                } catch (IOException gone) {
                    return;
                }
            }
        }
    }

    private int blackHolePort() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(server);
        for (int n = 0; n < 4; n++) {
            Socket filling = new Socket();
            open.add(filling);
            try {
                filling.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 300);
            } catch (IOException full) {
                break;
            }
        }
        return server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
    }
}
