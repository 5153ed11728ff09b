package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A debug JVM that closes a connection loses none of the requests that wait for it there. */
final class SidecarCloseTest {
    private static final int REQUESTS = 100;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String ERROR = "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n%s\r\noops";

    private final CountDownLatch sent = new CountDownLatch(1);
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private volatile String bad = "7";

    @ParameterizedTest
    @ValueSource(strings = {"close at the end", "close at once", "no close"})
    void errorThatAnnouncesTheClose_costsNoOtherRequest(String how) throws Exception {
        bad = how.equals("no close") ? "47" : "7"; // each of which takes a second then
        int errors = how.equals("no close") ? 1 : REQUESTS / 10;
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(socket -> debug(socket, "Connection: close\r\n", how));
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            ask(client, REQUESTS);
            sent.countDown();
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == REQUESTS);

            assertThat(seen).hasSize(REQUESTS).doesNotHaveDuplicates();
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(REQUESTS - errors);
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).isEqualTo(errors);
            assertThat(status.at("/losses").toString()).doesNotContain("DEBUG_CLOSED", "DEBUG_RESET");
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 100 of 100 exchanges");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close at once", "reset"})
    void endWithoutAWord_costsWhatWasOnItsWayAtMost(String how) throws Exception {
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(socket -> debug(socket, "", how));
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            ask(client, REQUESTS);
            sent.countDown();
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == REQUESTS);

            int lost = status.at("/verdicts/NOT_COMPARED").asInt();
            assertThat(lost).as(status.toPrettyString()).isLessThanOrEqualTo(REQUESTS / 10);
            assertThat(status.at("/verdicts/SAME").asInt()).isGreaterThanOrEqualTo(REQUESTS - 2 * REQUESTS / 10);
            assertThat(seen).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(REQUESTS - lost);
        }
    }

    /** As a killed JVM does; what wasn't told on that connection goes over the next one. */
    @Test
    void reset_costsTheRequestThatNobodyAnswered_andNoOther() throws Exception {
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(this::debugThatIsResetOnce);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            ask(client, REQUESTS);
            sent.countDown();
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == REQUESTS);

            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(1);
            assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(REQUESTS - 1);
            assertThat(seen).hasSize(REQUESTS).doesNotHaveDuplicates();
            assertThat(status.at("/rejoinedConnections").asInt()).isEqualTo(1);
        }
    }

    /** Its body comes later than the reset, and goes where its head went, also where all of it is gathered first. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Type: application/json\r\n"})
    void halfARequest_thatWaitsAtAReset_goesOnWhole(String type) throws Exception {
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(this::debugThatIsResetOnce);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            ask(client, 3);
            PlainServer.write(client, "POST /late HTTP/1.1\r\nHost: x\r\n" + type + "Content-Length: 4\r\n\r\n");
            stage.awaitStatus(
                    "the head",
                    s -> s.at("/bytes/teed").asLong() == s.at("/bytes/request").asLong());
            sent.countDown();
            stage.awaitStatus("the reset", s -> s.at("/rejoinedConnections").asInt() == 1);
            PlainServer.write(client, "1234");
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == 4);

            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(3);
            assertThat(seen).containsExactly("/0", "/1", "/2", "/late 1234");
        }
    }

    /** The first lane finds that it can't be reached; the second one's requests have a chance all the same. */
    @Test
    void killedDebug_getsWhatWaited_onceItIsBack() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(socket -> debugThatIsKilled(socket, second));
                Stage stage = Stage.open(production.address(), debug.address());
                Socket one = stage.connect();
                Socket other = stage.connect()) {
            ask(one, 1);
            ask(other, 1);
            stage.awaitStatus("both connections", s -> Stage.total(s) == 2);
            ask(one, 5);
            ask(other, 5);
            Patience.await().until(() -> seen.size() == 3);
            debug.closeDoor();
            sent.countDown();
            stage.awaitStatus(
                    "that it is gone", s -> !s.at("/lanes/obstacle").asText().isEmpty());
            second.countDown();
            stage.awaitStatus("both resets", s -> s.at("/lanes/connected").asInt() == 0);
            try (PlainServer back = PlainServer.again(debug.address(), SidecarCloseTest::production)) {
                JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == 12);
                assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                        .as(status.toPrettyString())
                        .isEqualTo(1);
                assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(11);
                assertThat(back.connections()).isEqualTo(2);
            }
        }
    }

    /** Answers one request on each connection; the first is reset first. */
    private void debugThatIsKilled(Socket socket, CountDownLatch second) throws Exception {
        String head = HashingService.head(socket);
        // the other connection's request isn't told before this one is answered
        boolean isFirst = seen.isEmpty();
        seen.add(head);
        PlainServer.write(socket, OK);
        if (isFirst) {
            seen.add(HashingService.head(socket));
            sent.await(60, TimeUnit.SECONDS);
        } else {
            second.await(60, TimeUnit.SECONDS);
        }
        PlainServer.reset(socket);
    }

    /** Answers one request, reads a second one and is gone; from then on it serves. */
    private void debugThatIsResetOnce(Socket socket) throws Exception {
        sent.await(60, TimeUnit.SECONDS);
        for (String head = HashingService.head(socket); !head.isEmpty(); head = HashingService.head(socket)) {
            String path = head.substring(head.indexOf(' ') + 1, head.indexOf(" HTTP"));
            boolean hasBody = head.startsWith("POST");
            seen.add(hasBody ? path + ' ' + body(socket) : path);
            if (seen.size() == 2) {
                PlainServer.reset(socket);
                return;
            }
            PlainServer.write(socket, OK);
        }
    }

    private static String body(Socket socket) throws Exception {
        return new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
    }

    /** The second connection's request waits for the first one's reply, so it isn't told before debug closes. */
    @Test
    void debugThatClosesBeforeItIsToldAnything_isNotTriedAgainAndAgain() throws Exception {
        try (PlainServer production = PlainServer.open(SidecarCloseTest::production);
                PlainServer debug = PlainServer.open(socket -> {
                    seen.add("connection");
                    if (seen.size() == 1) {
                        sent.await(60, TimeUnit.SECONDS);
                        debug(socket, "", "");
                    }
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket first = stage.connect()) {
            ask(first, 1);
            Patience.await().until(() -> seen.size() == 1);
            try (Socket second = stage.connect()) {
                ask(second, 1);
                stage.awaitStatus("the second's verdict", s -> Stage.total(s) == 1 || seen.size() > REQUESTS);
                assertThat(seen).hasSizeLessThan(REQUESTS / 10);
                sent.countDown();
                JsonNode status = stage.awaitStatus("the first's verdict", s -> Stage.total(s) == 2);
                assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(1);
                assertThat(status.at("/verdicts/NOT_COMPARED").asInt()).isEqualTo(1);
            }
        }
    }

    private static void production(Socket socket) throws Exception {
        for (String head = HashingService.head(socket); !head.isEmpty(); head = HashingService.head(socket)) {
            if (head.startsWith("POST")) {
                body(socket);
            }
            PlainServer.write(socket, OK);
        }
    }

    /** Fails at some requests, which closes the connection, and serves nothing until all have been sent. */
    private void debug(Socket socket, String headers, String how) throws Exception {
        sent.await(60, TimeUnit.SECONDS);
        for (String head = HashingService.head(socket); !head.isEmpty(); head = HashingService.head(socket)) {
            String path = head.substring(4, head.indexOf(" HTTP"));
            seen.add(path);
            if (!path.endsWith(bad)) {
                PlainServer.write(socket, OK);
                continue;
            }
            if (how.equals("reset")) {
                PlainServer.reset(socket);
                return;
            }
            PlainServer.write(socket, ERROR.formatted(headers));
            if (how.equals("no close")) {
                socket.getInputStream().readAllBytes();
            } else if (how.equals("close at the end")) {
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            }
            return;
        }
    }

    private static void ask(Socket client, int requests) throws Exception {
        for (int n = 0; n < requests; n++) {
            PlainServer.write(client, "GET /" + n + " HTTP/1.1\r\nHost: x\r\n\r\n");
            byte[] reply = client.getInputStream().readNBytes(OK.length());
            assertThat(new String(reply, StandardCharsets.US_ASCII)).isEqualTo(OK);
        }
    }
}
