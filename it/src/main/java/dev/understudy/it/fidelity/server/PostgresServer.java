package dev.understudy.it.fidelity.server;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.process.Unprivileged;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;

/**
 * PostgreSQL with a database {@code postgres}, whose superuser {@code bench} needs no password; its log tells of every
 * statement.
 */
public final class PostgresServer implements Server {
    private static final Pattern CONNECTION = Pattern.compile("LOG:  connection received: ");
    private static final Pattern STATEMENT =
            Pattern.compile("LOG:  (?:statement|execute [^:]*|fastpath function call): ");

    private final Tool tool;
    private final int port;

    private PostgresServer(Tool tool, int port) {
        this.tool = tool;
        this.port = port;
    }

    public static PostgresServer start(Path folder) throws IOException, InterruptedException {
        Path home = Unprivileged.folder(folder.resolve("postgres"));
        Path files = home.resolve("files");
        Shell.run(Unprivileged.command(
                List.of(Programs.path("initdb"), "-D", files.toString(), "-U", "bench", "--no-sync", "--auth=trust")));
        int port = FreePorts.next();
        Tool tool = Tool.start(
                home,
                Unprivileged.command(List.of(
                        Programs.path("postgres"),
                        "-D",
                        files.toString(),
                        "-p",
                        Integer.toString(port),
                        "-k",
                        home.toString(),
                        "-c",
                        "fsync=off",
                        "-c",
                        "max_connections=200",
                        "-c",
                        "max_prepared_transactions=10",
                        "-c",
                        "log_connections=on",
                        "-c",
                        "log_statement=all")));
        tool.awaitOutput("database system is ready to accept connections");
        return new PostgresServer(tool, port);
    }

    /** The URL for production's driver, or the debug side's. */
    public static String url(int port, String properties) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?sslmode=disable" + properties;
    }

    /** Has a server ready for a suite, by production's driver. */
    public static void prepare(Server server, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(server.port(), ""), "bench", "");
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Census census() throws IOException {
        String log = tool.output();
        return new Census(
                CONNECTION.matcher(log).results().count(),
                STATEMENT.matcher(log).results().count());
    }

    @Override
    public void close() {
        tool.close();
    }
}
