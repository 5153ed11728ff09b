package dev.understudy.it.stage;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Unprivileged;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.awaitility.Awaitility.await;

/** A real server on a free loopback port, with its files in a folder of its own; as root it runs as {@code nobody}. */
public final class RealServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Child child;
    private final int port;

    private RealServer(Child child, int port) {
        this.child = child;
        this.port = port;
    }

    public static RealServer redis(Path folder) throws IOException {
        int port = FreePorts.next();
        return start(
                folder,
                port,
                List.of(
                        Programs.path("redis-server"),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        folder.toString()));
    }

    /** With a database {@code postgres} whose superuser {@code bench} needs no password. */
    public static RealServer postgres(Path folder) throws Exception {
        int port = FreePorts.next();
        Path data = folder.resolve("data");
        run(
                folder,
                List.of(Programs.path("initdb"), "-D", data.toString(), "-U", "bench", "--no-sync", "--auth=trust"));
        return start(
                folder,
                port,
                List.of(
                        Programs.path("postgres"),
                        "-D",
                        data.toString(),
                        "-p",
                        String.valueOf(port),
                        "-k",
                        folder.toString(),
                        "-c",
                        "fsync=off"));
    }

    /** Without passwords. */
    public static RealServer mariadb(Path folder) throws Exception {
        int port = FreePorts.next();
        String data = "--datadir=" + folder.resolve("data");
        run(folder, List.of(Programs.path("mariadb-install-db"), "--no-defaults", data, "--skip-test-db"));
        return start(
                folder,
                port,
                List.of(
                        Programs.path("mariadbd"),
                        "--no-defaults",
                        data,
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + folder.resolve("socket"),
                        "--pid-file=" + folder.resolve("pid"),
                        "--skip-grant-tables",
                        "--skip-networking=0"));
    }

    /** Serves {@code files} without TLS, and writes a line per request to {@code access.log}. */
    public static RealServer nginx(Path folder, Path files, boolean http2) throws IOException {
        return nginx(folder, files, http2 ? " http2" : "", "");
    }

    /** The same with TLS, where it agrees on HTTP/2 or HTTP/1.1. */
    public static RealServer nginx(Path folder, Path files, PemKeys keys) throws IOException {
        String certificate = "ssl_certificate %s; ssl_certificate_key %s;".formatted(keys.certificate(), keys.key());
        return nginx(folder, files, " ssl http2", certificate);
    }

    private static RealServer nginx(Path folder, Path files, String listen, String more) throws IOException {
        int port = FreePorts.next();
        Path settings =
                Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                worker_processes 1;
                error_log %1$s/error.log;
                pid %1$s/pid;
                events { worker_connections 1024; }
                http {
                    access_log %1$s/access.log combined;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    # Java's client keeps its connections until it is collected; no test uses one again
                    keepalive_timeout 1s;
                    server { listen 127.0.0.1:%2$d%4$s; root %3$s; %5$s }
                }
                """.formatted(folder, port, files, listen, more));
        return start(folder, port, List.of(Programs.path("nginx"), "-p", folder.toString(), "-c", settings.toString()));
    }

    public int port() {
        return port;
    }

    private static RealServer start(Path folder, int port, List<String> command) throws IOException {
        Unprivileged.folder(folder);
        Child child = Child.start(folder.resolve("server.log"), Unprivileged.command(command));
        RealServer server = new RealServer(child, port);
        try {
            await(command.get(0))
                    .atMost(PATIENCE)
                    .until(() -> server.answers() || !child.process().isAlive());
        } catch (RuntimeException late) {
            child.close();
            throw new IllegalStateException(child.output(), late);
        }
        if (!child.process().isAlive()) {
            throw new IllegalStateException(child.output());
        }
        return server;
    }

    private static void run(Path folder, List<String> command) throws Exception {
        Unprivileged.folder(folder);
        try (Child child = Child.start(folder.resolve("prepared.log"), Unprivileged.command(command))) {
            if (child.exitCode(PATIENCE) != 0) {
                throw new IllegalStateException(child.output());
            }
        }
    }

    private boolean answers() {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        child.process().destroy();
        child.process().onExit().join();
        child.close();
    }
}
