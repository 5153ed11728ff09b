package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL for all tests of a JVM, whose end stops it. */
final class PostgresProgram {
    private static final EmbeddedPostgres SERVER = start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresProgram() {}

    static int port() {
        return SERVER.getPort();
    }

    /** A connection past the aggregator, to the database that all may use. */
    static Connection direct() throws SQLException {
        return SERVER.getPostgresDatabase().getConnection();
    }

    /** The name of a new database, without any table. */
    static String database() throws SQLException {
        String name = "own" + DATABASES.incrementAndGet();
        try (Connection connection = direct();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return name;
    }

    /** A connection past the aggregator to one of these. */
    static Connection direct(String database) throws SQLException {
        return SERVER.getDatabase("postgres", database).getConnection();
    }

    /** One of another test's own, which isn't started yet. */
    static EmbeddedPostgres.Builder another() throws IOException {
        return EmbeddedPostgres.builder().setPort(Ports.free()).setPGStartupWait(Duration.ofMinutes(1));
    }

    private static EmbeddedPostgres start() {
        try {
            return another().setServerConfig("max_prepared_transactions", "10").start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
