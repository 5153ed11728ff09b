package dev.understudy.session.outcome;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Brings outcomes to where the settings say. Whatever fails there is a sentence, never the session's end. Confined to
 * its session's thread, which it keeps for a minute at most.
 */
public final class OutcomeDelivery {
    private static final int ATTEMPTS = 3;

    private final OutcomeSettings settings;
    private final Duration timeout;
    private final Duration pause;

    /** With the usual times. */
    public OutcomeDelivery(OutcomeSettings settings) {
        this(settings, Duration.ofSeconds(5), Duration.ofSeconds(2));
    }

    /**
     * One with times of its own.
     *
     * @param timeout of one attempt
     * @param pause before the next attempt
     */
    OutcomeDelivery(OutcomeSettings settings, Duration timeout, Duration pause) {
        this.settings = settings;
        this.timeout = timeout;
        this.pause = pause;
    }

    /**
     * Delivers it.
     *
     * @return what was done, and what couldn't be; a sentence each
     */
    public List<String> deliver(SessionFindings findings) throws InterruptedException {
        List<String> said = new ArrayList<>();
        ObjectNode document = findings.document();
        Path folder = settings.folder();
        if (folder != null) {
            said.add(write(folder, findings, document));
        }
        said.addAll(post("webhook", settings.webhook(), document));
        URI otlp = settings.otlp();
        if (otlp != null) {
            URI traces = URI.create(otlp.toString().replaceAll("/+$", "") + "/v1/traces");
            said.addAll(post("trace " + findings.trace(), traces, OutcomeTrace.request(findings)));
        }
        return said;
    }

    /** Only this user can read what is in it: paths and values of production. */
    private static String write(Path folder, SessionFindings findings, ObjectNode document) {
        Path own = folder.resolve(findings.session() + "-" + findings.ended().toEpochMilli());
        try {
            Files.createDirectories(folder);
            Files.createDirectory(
                    own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            ObjectMapper mapper = new ObjectMapper();
            Files.write(
                    own.resolve("outcome.json"),
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(document));
            Files.write(
                    own.resolve("suspects.json"),
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(findings.suspects()));
            if (Files.exists(findings.report())) {
                Files.copy(findings.report(), own.resolve("report.html"), StandardCopyOption.REPLACE_EXISTING);
            }
            return "outcome: " + own;
        } catch (IOException failed) {
            return "the outcome can't be written to " + own + ": " + failed;
        }
    }

    private List<String> post(String what, @Nullable URI to, ObjectNode document) throws InterruptedException {
        if (to == null) {
            return List.of();
        }
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        HttpRequest request = HttpRequest.newBuilder(to)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document.toString()))
                .build();
        String problem = "";
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (attempt > 1) {
                TimeUnit.MILLISECONDS.sleep(pause.toMillis() * (attempt - 1));
            }
            try {
                int status = send(client, request);
                if (status / 100 == 2) {
                    return List.of(what + ": sent to " + place(to));
                }
                problem = "it answered " + status;
                if (status / 100 == 4 && status != 429) {
                    break;
                }
            } catch (ExecutionException failed) {
                problem = failed.getCause() instanceof HttpTimeoutException
                        ? noReply()
                        : String.valueOf(failed.getCause());
            } catch (TimeoutException slow) {
                problem = noReply();
            }
        }
        return List.of(what + ": not taken by " + place(to) + ", " + problem);
    }

    private String noReply() {
        return "no whole reply came in " + timeout.toMillis() + " ms";
    }

    /** The whole reply has to be there in time, though nobody reads it. */
    private int send(HttpClient client, HttpRequest request)
            throws ExecutionException, TimeoutException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> reply = client.sendAsync(request, BodyHandlers.discarding());
        try {
            return reply.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } finally {
            reply.cancel(true);
        }
    }

    /** Without what may be a secret in its path or query. */
    private static String place(URI to) {
        return to.getScheme() + "://" + to.getHost() + (to.getPort() < 0 ? "" : ":" + to.getPort());
    }
}
