package dev.understudy.it.fidelity.sql;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.server.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Spring Boot service with Hibernate and HikariCP, as a process on each side, with pools of different sizes. */
public final class SpringJpa implements Suite {
    private final Path jar;
    private final int authors;

    /**
     * Makes one.
     *
     * @param jar the service's
     * @param authors with each of whom all that it offers is done
     */
    public SpringJpa(Path jar, int authors) {
        this.jar = jar;
        this.authors = authors;
    }

    @Override
    public String name() {
        return "spring-jpa";
    }

    @Override
    public String about() {
        return ("Spring Boot 4.1.1, Spring Data JPA, Hibernate and HikariCP (10 connections in "
                        + "production, 3 in debug), %d authors; an operation is an HTTP request to the service")
                .formatted(authors);
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.POSTGRES;
    }

    @Override
    public void prepare(Server server) throws Exception {
        PostgresServer.prepare(
                server,
                "DROP TABLE IF EXISTS book, author",
                "DROP SEQUENCE IF EXISTS author_seq",
                "CREATE SEQUENCE author_seq INCREMENT 10",
                "CREATE TABLE author (id bigint PRIMARY KEY, name text UNIQUE)",
                "CREATE TABLE book (id bigserial PRIMARY KEY, version int NOT NULL, title text,"
                        + " price numeric(10,2), bought timestamptz NOT NULL DEFAULT now(),"
                        + " author_id bigint NOT NULL REFERENCES author)");
    }

    @Override
    public void run(Side side) throws Exception {
        int port = FreePorts.next();
        try (Tool service = start(side, port)) {
            service.awaitPort(port);
            HttpClient client = HttpClient.newHttpClient();
            for (int n = 0; n < authors; n++) {
                String name = "Author" + n;
                int id = n + 1;
                ask(side, client, port, "POST /authors/" + name + "?books=" + n % 4);
                ask(side, client, port, "GET /authors/" + id);
                ask(side, client, port, "GET /authors/" + id + "/lazily");
                ask(side, client, port, "POST /authors/" + id + "/raise");
                ask(side, client, port, "POST /authors/" + id + "/raise-all");
                ask(side, client, port, "POST /authors/" + id + "/regret");
                ask(side, client, port, "GET /authors/" + id + "?again");
                ask(side, client, port, "POST /authors/" + name + "?books=1&again");
                ask(side, client, port, "GET /authors?part=" + n % 7 + "&page=" + n % 2 + "&n=" + n);
                ask(side, client, port, "GET /worth?n=" + n);
                if (n % 5 == 4) {
                    ask(side, client, port, "DELETE /authors/" + id);
                }
            }
        }
    }

    private Tool start(Side side, int port) throws Exception {
        Path home = Files.createDirectories(side.folder());
        return Tool.start(
                home,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-jar",
                        jar.toString(),
                        "--server.port=" + port,
                        "--spring.datasource.url=" + PostgresServer.url(side.port(), ""),
                        "--spring.datasource.username=" + side.user(),
                        "--spring.datasource.password=any",
                        "--spring.datasource.hikari.maximum-pool-size=" + (side.debug() ? 3 : 10)));
    }

    private static void ask(Side side, HttpClient client, int port, String request) {
        side.transcript().add(request, () -> {
            String method = request.substring(0, request.indexOf(' '));
            String path = request.substring(request.indexOf(' ') + 1);
            HttpRequest asked = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .method(method, BodyPublishers.noBody())
                    .build();
            HttpResponse<String> reply = client.send(asked, BodyHandlers.ofString());
            return Transcript.result(reply.statusCode() + " " + reply.body());
        });
    }
}
