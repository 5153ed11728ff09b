package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.OtherAgent;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends the SDK's batches with the agent's own HTTP client, once each. Safe for any threads. */
final class OtlpSender implements HttpSender {
    private final HttpClient http;
    private final HttpRequest.Builder request;
    private final Supplier<Map<String, List<String>>> headers;

    /** @param headers of each request, besides its type */
    OtlpSender(
            HttpClient http,
            URI endpoint,
            String contentType,
            Duration timeout,
            Supplier<Map<String, List<String>>> headers) {
        this.http = http;
        this.request = HttpRequest.newBuilder(endpoint).timeout(timeout).header("Content-Type", contentType);
        this.headers = headers;
    }

    @Override
    public void send(MessageWriter message, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(Math.max(32, message.getContentLength()));
        try {
            message.writeMessage(body);
        } catch (IOException unwritable) {
            failed.accept(unwritable);
            return;
        }
        HttpRequest.Builder post = request.copy().POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()));
        headers.get().forEach((name, values) -> values.forEach(value -> post.header(name, value)));
        OtherAgent.untold(() -> send(post.build(), answered, failed)); // the SDK's thread isn't one of OwnThreads
    }

    private void send(HttpRequest post, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
        var unused = http.sendAsync(post, BodyHandlers.ofByteArray()).whenComplete((response, problem) -> {
            if (problem != null) {
                failed.accept(problem);
            } else {
                answered.accept(new Answer(response.statusCode(), response.body()));
            }
        });
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }

    /** What the other side said. */
    private static final class Answer implements HttpResponse {
        private final int status;
        private final byte[] body;

        Answer(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        public String getStatusMessage() {
            return Integer.toString(status);
        }

        @Override
        public byte[] getResponseBody() {
            return body;
        }
    }
}
