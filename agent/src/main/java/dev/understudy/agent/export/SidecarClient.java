package dev.understudy.agent.export;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * The agent's way to the control port of the sidecar, or with another URL of the aggregator.
 *
 * <p>Takes no default of the application's: no proxy selector, no authenticator, no cookies and no default TLS
 * context, which would be made, for good, before the application has set its properties.
 */
public final class SidecarClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int PATIENCE_SECONDS = 10;

    private final String sidecar;
    private final String token;
    private final ExecutorService executor;
    private final HttpClient http;

    /**
     * A client of the control port at {@code sidecar}; without a {@code token} it sends the one that a sidecar of the
     * same user has generated.
     *
     * @param tls for this and all other URLs that it is used for
     * @throws GeneralSecurityException if the JVM has no TLS, or a file of it can't be read; the message names it
     */
    public SidecarClient(String sidecar, String token, TlsSettings tls, OwnThreads threads)
            throws GeneralSecurityException {
        SSLContext context = tls.context();
        this.sidecar = sidecar;
        this.token = token;
        this.executor = Executors.newFixedThreadPool(2, work -> threads.daemon("http", work));
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(TIMEOUT)
                .sslContext(context)
                .executor(executor)
                .build();
    }

    /** The client itself. */
    public HttpClient http() {
        return http;
    }

    /** The request for the endless stream of the window's readings. */
    public HttpRequest window() {
        return request("/v1/window").header("Accept", "text/event-stream").GET().build();
    }

    /**
     * What is at {@code path}; waits {@value #PATIENCE_SECONDS} seconds at most.
     *
     * @param most the largest number of bytes that is taken
     * @throws IOException if it can't be had in time, or is larger
     */
    public byte[] get(String path, int most) throws IOException, InterruptedException {
        return answered(path, request(path).GET().build(), most);
    }

    /**
     * What the sidecar answers to an agent that asks whether its JVM is a debug one; the texts have no character that
     * JSON escapes.
     *
     * @throws IOException if it can't be had in time, or is larger than {@code most} bytes
     */
    public byte[] handshake(String nonce, String agent, String signature, int most)
            throws IOException, InterruptedException {
        String json = "{\"nonce\":\"" + nonce + "\",\"agent\":\"" + agent + "\",\"signature\":\"" + signature + "\"}";
        HttpRequest post = request("/v1/handshake")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return answered("/v1/handshake", post, most);
    }

    /**
     * What is answered to JSON that is posted to {@code path}.
     *
     * @throws IOException if it can't be had in time, isn't the status 200, or is larger than {@code most} bytes
     */
    public byte[] post(String path, byte[] json, int most) throws IOException, InterruptedException {
        return answered(path, posted(path, json), most);
    }

    private byte[] answered(String path, HttpRequest request, int most) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> asked = http.sendAsync(request, BoundedBody.handler(most));
        try {
            HttpResponse<byte[]> response = asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (response.statusCode() != 200) {
                throw new IOException(path + ": answered with " + response.statusCode());
            }
            return response.body();
        } catch (ExecutionException failed) {
            throw new IOException(path + ": " + failed.getCause(), failed);
        } catch (TimeoutException late) {
            throw new IOException(path + ": nothing within " + PATIENCE_SECONDS + " s", late);
        } finally {
            asked.cancel(true);
        }
    }

    /** Posts a report; false if it wasn't taken. */
    public boolean report(byte[] json) throws InterruptedException {
        return post("/v1/agent", json);
    }

    /** Posts what was observed of exchanges; false if it wasn't taken. */
    public boolean observed(byte[] json) throws InterruptedException {
        return post("/v1/observations", json);
    }

    /** Posts what the agent took of exchanges' time; false if it wasn't taken. */
    public boolean overheads(byte[] json) throws InterruptedException {
        return post("/v1/overheads", json);
    }

    /** Posts stacks of threads that serve exchanges; false if it wasn't taken. */
    public boolean stacks(byte[] json) throws InterruptedException {
        return post("/v1/stacks", json);
    }

    /** Posts sampled allocations; false if it wasn't taken. */
    public boolean allocations(byte[] json) throws InterruptedException {
        return post("/v1/allocations", json);
    }

    /** Posts what log points and snapshots told; false if it wasn't taken. */
    public boolean hits(byte[] json) throws InterruptedException {
        return post("/v1/hits", json);
    }

    /** Posts what was recorded of an execution; false if it wasn't taken. */
    public boolean execution(byte[] json) throws InterruptedException {
        return post("/v1/executions", json);
    }

    private boolean post(String path, byte[] json) throws InterruptedException {
        try {
            return http.send(posted(path, json), HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            / 100
                    == 2;
        } catch (IOException unreachable) {
            return false;
        }
    }

    private HttpRequest posted(String path, byte[] json) {
        return request(path)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json))
                .build();
    }

    /** An exporter to {@code otlp}, in protobuf over HTTP, that doesn't try twice. */
    public SpanExporter spans(String otlp) {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
                .setEndpoint(otlp + "/v1/traces")
                .setTimeout(TIMEOUT)
                .setConnectTimeout(TIMEOUT)
                .setRetryPolicy(null)
                .setComponentLoader(senders());
        if (otlp.startsWith(sidecar)) {
            builder.setHeaders(this::authorization);
        }
        return builder.build();
    }

    private ComponentLoader senders() {
        HttpSenderProvider provider = config -> new OtlpSender(
                http, config.getEndpoint(), config.getContentType(), config.getTimeout(), config.getHeadersSupplier());
        return new ComponentLoader() {
            @Override
            public <T> Iterable<T> load(Class<T> type) {
                return type == HttpSenderProvider.class ? List.of(type.cast(provider)) : List.of();
            }
        };
    }

    /** Ends its threads; nothing may be asked any more. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(sidecar + path));
        authorization().forEach(builder::header);
        return builder;
    }

    private Map<String, String> authorization() {
        String sent = token.isEmpty() ? LocalToken.read(URI.create(sidecar)) : token;
        return sent.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + sent);
    }
}
