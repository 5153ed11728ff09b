package dev.understudy.standin.learn;

import dev.understudy.relay.stream.RecordingFile;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ServiceLearnerTest {
    private static final LearnOptions PLAIN = new LearnOptions("orders", null, 0, 0, Duration.ZERO);

    @TempDir
    private Path folder;

    private static String request(String line, String body) {
        String head = line + " HTTP/1.1\r\nHost: a\r\n";
        return body.isEmpty()
                ? head + "\r\n"
                : head + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String reply(int status, String type, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private RecordingFile recording() throws IOException {
        return new RecordingFile(file());
    }

    private Path file() {
        return folder.resolve("recording");
    }

    private static void exchange(RecordingFile file, long connection, long micros, String request, String reply) {
        file.add(connection, StreamEvent.REQUEST, micros, request);
        file.add(connection, StreamEvent.REPLY, micros + 2000, reply);
    }

    /** A hundred reads and fifty writes. */
    private Path orders() throws IOException {
        try (RecordingFile file = recording()) {
            addOrders(file);
        }
        return file();
    }

    private static void addOrders(RecordingFile file) {
        for (int i = 0; i < 100; i++) {
            boolean known = i % 10 != 0;
            exchange(
                    file,
                    i % 4,
                    i * 5000L,
                    request("GET /orders/" + i + "?full=" + (i % 2), ""),
                    reply(
                            known ? 200 : 404,
                            "application/json",
                            known ? "{\"id\":" + i + "}" : "{\"error\":\"none\"}"));
        }
        for (int i = 0; i < 50; i++) {
            exchange(
                    file,
                    9,
                    600_000 + i * 5000L,
                    request("POST /orders", "{\"amount\":" + i + "}"),
                    reply(201, "text/plain", "made"));
        }
    }

    @Test
    void routes_haveTheirSharesTimesAndReplies() throws IOException {
        ServiceModel model = ServiceLearner.learn(orders(), PLAIN).model();
        assertThat(model.routes())
                .extracting(each -> each.request().route())
                .containsExactly("GET /orders/{}", "POST /orders");
        RouteModel get = model.routes().get(0);
        assertThat(get.share()).isEqualTo(0.6667);
        assertThat(get.timeMillis().at(0.5)).isEqualTo(2.0);
        assertThat(get.replies()).extracting(ReplyModel::status).containsExactly(200, 404);
        assertThat(get.replies()).extracting(ReplyModel::share).containsExactly(0.9, 0.1);
        assertThat(get.request().query()).singleElement().extracting("name").isEqualTo("full");
        assertThat(model.routes().get(1).request().body()).isNotNull();
        assertThat(model.routes().get(1).replies().get(0).size().mean()).isEqualTo(4.0);
        assertThat(model.arrivals().connections()).isEqualTo(5);
    }

    @Test
    void model_isTheSameOnceItWasWrittenAndRead() throws IOException {
        ServiceModel model = ServiceLearner.learn(
                        orders(), new LearnOptions("orders", 3, 0.12, 1_000_000, Duration.ZERO))
                .model();
        Path written = folder.resolve("model.yaml");
        ModelFile.write(model, written);
        assertThat(ModelFile.read(written)).isEqualTo(model);
    }

    @Test
    void whatIsSkipped_isNotLearned() throws IOException {
        LearnOptions late = new LearnOptions("orders", null, 0, 0, Duration.ofMillis(600));
        ServiceModel model = ServiceLearner.learn(orders(), late).model();
        assertThat(model.exchanges()).isEqualTo(50);
        assertThat(model.routes()).extracting(each -> each.request().route()).containsExactly("POST /orders");
    }

    @Test
    void processorTimeAndAllocation_areSharedByTime() throws IOException {
        ServiceModel model = ServiceLearner.learn(orders(), new LearnOptions("orders", 0, 0.15, 150_000, Duration.ZERO))
                .model();
        assertThat(model.routes()).allSatisfy(route -> {
            assertThat(route.processorMillis()).isEqualTo(1.0);
            assertThat(route.allocatedBytes()).isEqualTo(1000);
        });
    }

    /** In values, in names of maps, in odd types and headers: nothing of a reply's text is in a model. */
    @Test
    void secretsOfReplies_areInNoModel() throws IOException {
        List<String> bodies = List.of(
                "{\"name\":\"S3CRET-alice\",\"iban\":\"DE02120300000000202051\",\"balance\":4711.13}",
                "{\"accounts\":{\"S3CRET@example.com\":{\"pin\":\"9876\"}}}",
                "{\"users\":{\"S3CRET%1$c\":1,\"S3CRETalice%1$c\":2,\"bob\":3}}",
                "{\"ids\":[\"S3CRET\",\"6f9619ff-8b86-d011-b42d-00cf4fc964ff\"]}");
        try (RecordingFile file = recording()) {
            for (int i = 0; i < 40; i++) {
                exchange(
                        file,
                        1,
                        i * 5000L,
                        request("GET /customers/" + i, ""),
                        reply(200, "application/json", String.format(bodies.get(i % 4), 'a' + i / 2)));
                exchange(
                        file,
                        2,
                        i * 5000L + 1,
                        request("GET /page", ""),
                        reply(200, "text/html; note=S3CRET", "<p>S3CRET</p>"));
                exchange(file, 3, i * 5000L + 2, request("GET /odd", ""), reply(200, "S3CRET", "x"));
            }
        }
        String text = ModelFile.text(ServiceLearner.learn(file(), PLAIN).model());
        assertThat(text).contains("balance").doesNotContain("S3CRET", "DE0212", "4711", "9876", "6f9619ff", "alice");
    }

    @Test
    void wordsThatAreMany_arePartsOfAPath() throws IOException {
        try (RecordingFile file = recording()) {
            for (int i = 0; i < 60; i++) {
                String user = "user" + (char) ('a' + i % 30 / 6) + (char) ('a' + i % 30);
                exchange(file, 1, i * 5000L, request("GET /users/" + user, ""), reply(200, "text/plain", "ok"));
            }
        }
        ServiceModel model = ServiceLearner.learn(file(), PLAIN).model();
        assertThat(model.routes()).extracting(each -> each.request().route()).containsExactly("GET /users/{}");
    }

    @Test
    void whatIsNoHttp_isLeftOutAndTold() throws IOException {
        try (RecordingFile file = recording()) {
            addOrders(file);
            file.add(77, StreamEvent.REQUEST, 900_000, "*1\r\n$4\r\nPING\r\n");
            file.add(78, StreamEvent.REQUEST, 900_001, request("GET /orders/1", ""));
        }
        LearnResult result = ServiceLearner.learn(file(), PLAIN);
        assertThat(result.model().exchanges()).isEqualTo(150);
        assertThat(result.notes())
                .containsExactly(
                        "1 connections weren't, or not to their end, HTTP/1.1", "1 requests have no whole reply");
    }

    @Test
    void bodiesThatWaitForTheirReplies_areKeptWithinABound() {
        KeptBytes kept = new KeptBytes(100);
        List<RecordedCall> calls = new ArrayList<>();
        CallPairs waiting = new CallPairs(1, calls::add, kept);
        waiting.request(bytes(request("POST /a", "x".repeat(80))), 1);
        CallPairs other = new CallPairs(2, calls::add, kept);
        other.request(bytes(request("POST /b", "y".repeat(80))), 2);
        other.reply(bytes(reply(200, "text/plain", "z")), 3);
        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.requestBytes()).isEqualTo(80);
            assertThat(call.requestBody()).hasSize(20);
            assertThat(call.replyBody()).isEmpty();
        });
        assertThat(waiting.end()).isEqualTo(1);
        assertThat(kept.take(1000)).isEqualTo(100);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void recordingWithoutHttp_isToldSo() throws IOException {
        try (RecordingFile file = recording()) {
            file.add(1, StreamEvent.REQUEST, 1, "*1\r\n$4\r\nPING\r\n");
        }
        assertThatThrownBy(() -> ServiceLearner.learn(file(), PLAIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0 whole exchanges of HTTP/1.1 (expected: at least 2");
    }
}
