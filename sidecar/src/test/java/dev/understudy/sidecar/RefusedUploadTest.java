package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Uploads that production refuses before their body has come, which is never sent then. */
final class RefusedUploadTest {
    private static final String HEAD =
            "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n";

    @ParameterizedTest
    @CsvSource({"401 Unauthorized, ''", "413 Content Too Large, some", "417 Expectation Failed, ''"})
    void refusalAgainstAReply_isADifference(String refusal, String begun) throws Exception {
        JsonNode verdict = verdict(refused(refusal), answering("200 OK"), begun);

        assertThat(verdict.path("kind").asText()).as(verdict.toPrettyString()).isEqualTo("DIFFERENT");
        assertThat(verdict.at("/differences/0/path").asText()).isEqualTo("status");
    }

    @Test
    void refusalOnBothSides_isTheSame() throws Exception {
        JsonNode verdict = verdict(refused("401 Unauthorized"), refused("401 Unauthorized"), "some");

        assertThat(verdict.path("kind").asText()).as(verdict.toPrettyString()).isEqualTo("SAME");
    }

    @Test
    void refusalAgainstTheLeaveToGoOn_isADifference() throws Exception {
        JsonNode verdict = verdict(refused("401 Unauthorized"), goingOn(), "");

        assertThat(verdict.path("kind").asText()).as(verdict.toPrettyString()).isEqualTo("DIFFERENT");
        assertThat(verdict.at("/differences/0/path").asText()).isEqualTo("status");
        assertThat(verdict.at("/differences/0/debug").asText()).isEqualTo("100");
    }

    @Test
    void refusalThatDebugIsSilentAbout_isNotCompared() throws Exception {
        JsonNode verdict = verdict(refused("401 Unauthorized"), silent(), "some");

        assertThat(verdict.path("kind").asText()).as(verdict.toPrettyString()).isEqualTo("NOT_COMPARED");
    }

    private static JsonNode verdict(PlainServer.Script production, PlainServer.Script debug, String begun)
            throws Exception {
        try (PlainServer server = PlainServer.open(production);
                PlainServer other = PlainServer.open(debug);
                Stage stage = Stage.open(server.address(), other.address())) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, HEAD + begun);
                PlainServer.readAll(client);
            }
            stage.awaitStatus("a verdict", status -> Stage.total(status) == 1);
            return stage.control("/v1/verdicts").at("/verdicts/0");
        }
    }

    private static PlainServer.Script refused(String status) {
        return socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
            socket.shutdownOutput();
            PlainServer.readAll(socket);
        };
    }

    private static PlainServer.Script answering(String status) {
        return socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            PlainServer.readAll(socket);
        };
    }

    private static PlainServer.Script goingOn() {
        return socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
            PlainServer.readAll(socket);
        };
    }

    private static PlainServer.Script silent() {
        return socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.readAll(socket);
        };
    }
}
