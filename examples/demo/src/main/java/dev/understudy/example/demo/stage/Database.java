package dev.understudy.example.demo.stage;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real PostgreSQL with the orders database, in which the application must authenticate by SCRAM-SHA-256. */
public final class Database implements AutoCloseable {
    static final String USER = "orders";
    static final String PASSWORD = "break-a-leg";

    private static final String ACCESS = """
            # the demo itself asks for statistics as postgres; everybody else needs a password
            local all postgres              trust
            host  all postgres 127.0.0.1/32 trust
            host  all postgres ::1/128      trust
            host  all all      127.0.0.1/32 scram-sha-256
            """;

    private final EmbeddedPostgres server;

    private Database(EmbeddedPostgres server) {
        this.server = server;
    }

    static Database start(Folder folder, int port, Installation installation) throws StartFailed {
        Path log = folder.file("postgres.log");
        Database database;
        try {
            database = new Database(EmbeddedPostgres.builder()
                    .setPort(port)
                    .setOverrideWorkingDirectory(folder.file("postgres").toFile())
                    .setDataDirectory(folder.file("postgres").resolve("data"))
                    .setDataDirectoryCustomizer(Database::restrictAccess)
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .setServerConfig("password_encryption", "scram-sha-256")
                    .setErrorRedirector(Redirect.appendTo(log.toFile()))
                    .setOutputRedirector(Redirect.appendTo(log.toFile()))
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start());
        } catch (IOException | RuntimeException e) {
            throw new StartFailed("The embedded PostgreSQL didn't start" + wayOut() + "\nits log: " + log, e);
        }
        try {
            database.fill(installation);
        } catch (IOException | SQLException e) {
            database.close();
            throw new StartFailed("The orders database couldn't be laid out", e);
        }
        return database;
    }

    private static void restrictAccess(File dataDirectory) {
        try {
            Files.writeString(dataDirectory.toPath().resolve("pg_hba.conf"), ACCESS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PostgreSQL refuses to run as root; as root it's started in a user namespace, which some systems forbid. */
    private static String wayOut() {
        return "root".equals(System.getProperty("user.name"))
                ? " as root (it needs user namespaces: `unshare -U true` must work). Way out: "
                        + "run the demo as a normal user"
                : "";
    }

    private void fill(Installation installation) throws IOException, SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE orders");
        }
        try (Connection connection = server.getDatabase("postgres", "orders").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE EXTENSION pg_stat_statements");
            for (String script : List.of("01-schema.sql", "02-seed.sql")) {
                statement.execute(Files.readString(installation.sql(script)));
            }
        }
    }

    public int port() {
        return server.getPort();
    }

    /** All rows of a query on the orders database, each value as text. */
    public List<List<String>> rows(String query) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", "orders").getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<List<String>> rows = new ArrayList<>();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                    values.add(String.valueOf(row.getString(column)));
                }
                rows.add(values);
            }
            return rows;
        }
    }

    /** The single number that a query gives. */
    public long number(String query) throws SQLException {
        return Long.parseLong(rows(query).get(0).get(0));
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println("PostgreSQL didn't stop: " + e);
        }
    }
}
