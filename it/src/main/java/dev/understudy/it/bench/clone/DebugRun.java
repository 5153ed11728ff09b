package dev.understudy.it.bench.clone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of {@code understudy debug}, from its start on. Not safe for use by several threads. */
final class DebugRun implements AutoCloseable {
    private static final Pattern SESSION = Pattern.compile("session ([0-9a-f]{8}) ");
    private static final Pattern STOOD = Pattern.compile("stood still for ([0-9.]+) s, (\\d+) MiB");
    private static final Pattern ENVIRONMENT = Pattern.compile("for other commands: \\. (\\S+)");
    private static final Pattern VARIABLE = Pattern.compile("export UNDERSTUDY_CONTROL_(URL|TOKEN)=(\\S+)");
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final long begun = System.nanoTime();
    private final Path understudy;
    private final Tool session;
    private final HttpClient client = HttpClient.newHttpClient();
    private String url = "";
    private String token = "";

    /** Starts it. */
    DebugRun(Path understudy, Path folder, long pid, int port) throws IOException {
        this.understudy = understudy;
        List<String> command = new ArrayList<>(List.of(understudy.toString(), "debug", "--pid", Long.toString(pid)));
        command.addAll(List.of(
                "--protocol",
                port + "=http",
                "--report",
                folder.resolve("report.html").toString()));
        session = Tool.start(folder, command);
    }

    /**
     * Waits until the copy gets what clients send.
     *
     * @return seconds since the start
     */
    double awaitLive() throws IOException {
        Matcher file = await(ENVIRONMENT);
        double seconds = seconds();
        Matcher variable = VARIABLE.matcher(Files.readString(Path.of(file.group(1))));
        while (variable.find()) {
            if (variable.group(1).equals("URL")) {
                url = variable.group(2);
            } else {
                token = variable.group(2);
            }
        }
        return seconds;
    }

    /**
     * Waits until so many exchanges have a verdict.
     *
     * @return seconds since the start
     */
    double awaitVerdicts(long number) throws IOException, InterruptedException {
        while (total(verdicts()) < number && !isOverdue()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        return seconds();
    }

    /** How many exchanges have each verdict. */
    JsonNode verdicts() throws IOException, InterruptedException {
        return status().at("/listeners/0/verdicts");
    }

    /** The sidecar's status. */
    JsonNode status() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/status"))
                .header("Authorization", "Bearer " + token)
                .build();
        return new ObjectMapper()
                .readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    /** The sum of all verdicts. */
    static long total(JsonNode verdicts) {
        long total = 0;
        for (JsonNode kind : verdicts) {
            total += kind.asLong();
        }
        return total;
    }

    /** How long production stood still, in seconds, as the session found. */
    double suspensionSeconds() throws IOException {
        return Double.parseDouble(await(STOOD).group(1));
    }

    /** The size of the snapshot. */
    long imageMebibytes() throws IOException {
        return Long.parseLong(await(STOOD).group(2));
    }

    private Matcher await(Pattern pattern) throws IOException {
        while (true) {
            Matcher found = pattern.matcher(session.output());
            if (found.find()) {
                return found;
            }
            if (!session.handle().isAlive() || isOverdue()) {
                throw new IOException("the session didn't come so far:\n" + session.output());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }

    private boolean isOverdue() {
        return System.nanoTime() - begun > PATIENCE_NANOS;
    }

    /** Ends it as an operator does, and waits for that. */
    @Override
    public void close() throws IOException {
        Matcher id = SESSION.matcher(session.output());
        try {
            if (id.find() && session.handle().isAlive()) {
                new ProcessBuilder(understudy.toString(), "debug", "--stop", id.group(1))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectErrorStream(true)
                        .start()
                        .waitFor(1, TimeUnit.MINUTES);
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        } finally {
            session.close();
        }
    }
}
