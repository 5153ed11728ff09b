package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import dev.understudy.relay.tls.KeyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real MariaDB with a data directory of its own and one user, for all tests of a JVM. */
final class MariaDbServer {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static @Nullable MariaDbServer running;

    private final Path home;
    private final Process process;
    private final int port;

    private MariaDbServer(String... further) throws IOException, InterruptedException {
        home = Files.createTempDirectory("understudy-mariadb");
        Path files = home.resolve("db");
        run(List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--user=root",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + files));
        port = Ports.free();
        List<String> command = new ArrayList<>(List.of(
                "mariadbd",
                "--no-defaults",
                "--user=root",
                "--datadir=" + files,
                "--socket=" + home.resolve("s"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-name-resolve",
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=32M"));
        command.addAll(List.of(further));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
        await();
    }

    /** The running one; skips the test where there is none to run, unless {@code understudy.programs=required}. */
    static synchronized MariaDbServer get() throws IOException, InterruptedException {
        Programs.need("mariadbd");
        MariaDbServer server = running;
        if (server == null) {
            server = new MariaDbServer();
            running = server;
        }
        return server;
    }

    /** Another one, which offers TLS with these. */
    static MariaDbServer withTls(KeyFiles keys) throws IOException, InterruptedException {
        Programs.need("mariadbd");
        return new MariaDbServer("--ssl-cert=" + keys.chain(), "--ssl-key=" + keys.key());
    }

    int port() {
        return port;
    }

    /** A connection to the server itself, past the aggregator. */
    Connection direct() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + port + "/mysql?sslMode=disable&allowMultiQueries=true", "root", "");
    }

    private void await() throws IOException {
        long deadline = System.nanoTime() + PATIENCE;
        while (true) {
            try (Connection connection = direct();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE OR REPLACE DATABASE app; CREATE OR REPLACE DATABASE other;"
                        + "CREATE OR REPLACE USER app@'%' IDENTIFIED BY 'secret'; GRANT ALL ON *.* TO app@'%'");
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > deadline || !process.isAlive()) {
                    throw new IOException("mariadbd: " + Files.readString(home.resolve("log")), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command.get(0) + ": " + output);
        }
    }

    private void stop() {
        process.destroyForcibly();
        try {
            process.waitFor();
            try (Stream<Path> files = Files.walk(home)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
