package dev.understudy.example.orders;

import dev.understudy.example.pricing.PricingApplication;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** The orders service with a real PostgreSQL, a real Redis and the real pricing service. */
record RunningShop(
        EmbeddedPostgres postgres, RedisServer redis, PricingApplication pricing, ConfigurableApplicationContext orders)
        implements AutoCloseable {

    private static final Path BINARIES = Path.of("target/upstreams");

    static RunningShop start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(BINARIES.resolve("postgres").toFile())
                    .setPort(freePort())
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(Files.readString(Path.of("db/01-schema.sql")));
                statement.execute(Files.readString(Path.of("db/02-seed.sql")));
            }
            // of its own, since another test JVM would write a program that this one runs
            Path redisBinary = Files.createTempDirectory(BINARIES, "redis");
            RedisServer redis = RedisServer.newRedisServer()
                    .executableProvider(ExecutableProvider.newJarResourceProvider(redisBinary.toFile()))
                    .port(freePort())
                    .setting("bind 127.0.0.1")
                    .build();
            redis.start();
            PricingApplication pricing = PricingApplication.start(0);
            ConfigurableApplicationContext orders = SpringApplication.run(
                    OrdersApplication.class,
                    "--SERVER_PORT=0",
                    "--DB_URL=jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres",
                    "--REDIS_PORT=" + redis.ports().get(0),
                    "--PRICING_URL=http://127.0.0.1:" + pricing.port());
            return new RunningShop(postgres, redis, pricing, orders);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("The shop didn't start", e);
        }
    }

    /** One below those that the system gives to whoever asks for any: nobody takes it before its server does. */
    private static int freePort() throws IOException {
        while (true) {
            int port = 11_000 + ThreadLocalRandom.current().nextInt(20_000);
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket(port)) {
            return probe.isBound();
        } catch (BindException taken) {
            return false;
        }
    }

    /** A client of its own, with its own session. */
    Visitor visitor() {
        return new Visitor("http://127.0.0.1:" + orders.getEnvironment().getRequiredProperty("local.server.port"));
    }

    /** The first column of the first row of a query. */
    long inDatabase(String query) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException {
        orders.close();
        pricing.close();
        redis.stop();
        postgres.close();
    }
}
