package dev.understudy.it.bench.thesis;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real MariaDB with a data directory of its own, open to {@code root} on loopback. */
final class MariaDb implements Closeable {
    private final Tool server;
    private final int port;

    private MariaDb(Tool server, int port) {
        this.server = server;
        this.port = port;
    }

    static boolean installed() {
        return Tool.installed("mariadbd") && Tool.installed("mariadb-install-db") && Tool.installed("mariadb-slap");
    }

    /**
     * Starts one.
     *
     * @param wrapper what it is started by, such as {@code nice -n 19}; may be empty
     */
    static MariaDb start(Path folder, List<String> wrapper) throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder);
        Path files = home.resolve("db");
        Shell.run(List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--user=root",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + files));
        int port = FreePorts.next();
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                "mariadbd",
                "--no-defaults",
                "--user=root",
                "--datadir=" + files,
                "--socket=" + home.resolve("s"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-grant-tables",
                "--skip-name-resolve",
                "--skip-networking=0",
                "--innodb-flush-log-at-trx-commit=0",
                "--max-connections=500"));
        return new MariaDb(Tool.start(home, command).awaitPort(port), port);
    }

    int port() {
        return port;
    }

    /** Runs statements, separated by semicolons. */
    void run(String statements) throws IOException, InterruptedException {
        Shell.run(List.of(
                "mariadb",
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + port,
                "--user=root",
                "--skip-ssl",
                "-e",
                statements));
    }

    @Override
    public void close() {
        server.close();
    }
}
