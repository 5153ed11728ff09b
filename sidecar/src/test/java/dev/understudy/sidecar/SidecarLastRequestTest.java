package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client sends behind the last request of a connection is served by nobody in production: were it given to the
 * debug JVM, it would have its effects there alone. Java's own client does so, and sends it again on another
 * connection.
 */
final class SidecarLastRequestTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n%sContent-Length: 2\r\n\r\nok";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, Connection: close, ''",
        "HTTP/1.1, 'Connection: Foo, Close', ''",
        "HTTP/1.0, X: y, ''",
        "HTTP/1.1, X: y, Connection: close"
    })
    void requestBehindTheLastOne_isntGivenToDebug(String version, String request, String reply) throws Exception {
        String said = reply.isEmpty() ? "" : reply + "\r\n";
        try (PlainServer production = PlainServer.open(socket -> {
                    HashingService.head(socket);
                    PlainServer.write(socket, OK.formatted(said));
                });
                PlainServer debug = PlainServer.open(this::debug);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET /1 " + version + "\r\nHost: x\r\n" + request + "\r\n\r\n");
            client.getInputStream().readNBytes(OK.formatted(said).length());
            PlainServer.write(client, "GET /2 " + version + "\r\nHost: x\r\n" + request + "\r\n\r\n");
            JsonNode status = stage.awaitStatus("both verdicts", s -> Stage.total(s) == 2);

            assertThat(seen).containsExactly("GET /1");
            assertThat(status.at("/notCompared/NO_PRODUCTION_REPLY").asInt())
                    .as(status.toPrettyString())
                    .isOne();
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 1 of 1 exchanges");
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1, X: y", "HTTP/1.1, Connection: keep-alive", "HTTP/1.0, Connection: Keep-Alive"})
    void requestsThatFollowOthers_areGivenToDebug(String version, String request) throws Exception {
        try (PlainServer production = PlainServer.open(this::serve);
                PlainServer debug = PlainServer.open(this::debug);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            for (int n = 1; n <= 3; n++) {
                PlainServer.write(client, "GET /" + n + " " + version + "\r\nHost: x\r\n" + request + "\r\n\r\n");
                client.getInputStream().readNBytes(OK.formatted("").length());
            }
            stage.awaitVerdicts("SAME", 3);

            assertThat(seen).containsExactly("GET /1", "GET /2", "GET /3");
        }
    }

    private void serve(Socket socket) throws Exception {
        while (!HashingService.head(socket).isEmpty()) {
            PlainServer.write(socket, OK.formatted(""));
        }
    }

    /** Goes on, whatever was said. */
    private void debug(Socket socket) throws Exception {
        for (String head = HashingService.head(socket); !head.isEmpty(); head = HashingService.head(socket)) {
            seen.add(head.substring(0, head.indexOf(" HTTP")));
            PlainServer.write(socket, OK.formatted(""));
        }
    }
}
