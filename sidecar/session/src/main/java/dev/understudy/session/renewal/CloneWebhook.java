package dev.understudy.session.renewal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.understudy.session.renewal.WebhookPort.WebhookReply;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the session's sidecar asks for a fresh copy. The sidecar has no right to make one: the session makes it, and no
 * sooner than its pause allows, whoever knows the address. On loopback of the target's network, with a secret in its
 * path. For any thread.
 */
public final class CloneWebhook implements AutoCloseable {
    /** Makes a fresh copy. */
    public interface CopyRenewal {
        /**
         * Makes it, and returns when it gets what clients send.
         *
         * @param epoch the sidecar's number of what begins with it
         * @param cause in a word, such as {@code periodic}
         * @throws IOException if that failed; the message says why, and whether there still is a copy
         */
        void renew(int epoch, String cause) throws IOException, InterruptedException;
    }

    private static final int SECRET_BYTES = 24;
    /** Until a caller's request is whole. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WebhookPort port;
    private final String path;
    private final ExecutorService renewals = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "understudy-renewal");
        thread.setDaemon(true);
        return thread;
    });
    private final Duration pause;
    private final LongSupplier nanos;
    private @Nullable CopyRenewal renewal; // guarded by this, as all below
    private boolean isBusy;
    private long lastNanos;

    private CloneWebhook(Duration pause, LongSupplier nanos, Duration patience) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        this.path = "/" + HexFormat.of().formatHex(secret);
        this.pause = pause;
        this.nanos = nanos;
        this.lastNanos = nanos.getAsLong();
        this.port = WebhookPort.open(this::answer, patience);
    }

    /**
     * Listens on a free port, and refuses until {@link #serve}.
     *
     * @param pause the least time between two copies; the first one counts
     */
    public static CloneWebhook open(Duration pause) throws IOException {
        return open(pause, System::nanoTime, PATIENCE);
    }

    static CloneWebhook open(Duration pause, LongSupplier nanos, Duration patience) throws IOException {
        return new CloneWebhook(pause, nanos, patience);
    }

    /** Where it is; a secret. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port.port() + path);
    }

    /** From now on copies are made. The pause before the next one begins. */
    public synchronized void serve(CopyRenewal made) {
        renewal = made;
        lastNanos = nanos.getAsLong();
    }

    private CompletionStage<WebhookReply> answer(String method, String asked, String body) {
        if (!MessageDigest.isEqual(bytes(asked), bytes(path))) {
            return said(404, "nothing is here");
        }
        if (!method.equals("POST")) {
            return said(400, "expected: a POST");
        }
        CopyRenewal made = begin();
        return made == null
                ? said(
                        429,
                        "no copy is made now: one is under way, or the last one is younger than " + pause.toSeconds()
                                + " s (--renew-pause)")
                : CompletableFuture.supplyAsync(() -> renew(made, body), renewals);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static CompletionStage<WebhookReply> said(int status, String text) {
        return CompletableFuture.completedFuture(new WebhookReply(status, text));
    }

    private WebhookReply renew(CopyRenewal made, String body) {
        try {
            JsonNode occasion = occasion(body);
            String cause = occasion.path("cause").asText();
            made.renew(occasion.path("epoch").asInt(), cause.matches("[A-Z]{1,20}") ? cause : "UNKNOWN");
            return new WebhookReply(200, "done");
        } catch (IOException failed) {
            return new WebhookReply(500, String.valueOf(failed.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new WebhookReply(500, "the session ends");
        } finally {
            end();
        }
    }

    private static JsonNode occasion(String body) {
        try {
            return new ObjectMapper().readTree(body);
        } catch (IOException noJson) {
            return MissingNode.getInstance();
        }
    }

    private synchronized @Nullable CopyRenewal begin() {
        if (renewal == null || isBusy || nanos.getAsLong() - lastNanos < pause.toNanos()) {
            return null;
        }
        isBusy = true;
        lastNanos = nanos.getAsLong();
        return renewal;
    }

    private synchronized void end() {
        isBusy = false;
    }

    @Override
    public void close() {
        port.close();
        renewals.shutdownNow();
    }
}
