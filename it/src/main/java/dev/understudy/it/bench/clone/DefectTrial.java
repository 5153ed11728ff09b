package dev.understudy.it.bench.clone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service whose memory went bad before anybody looked, a session that waits for an alert, and the alert. From then on
 * nobody types anything.
 *
 * @param understudy the command
 * @param defect what is bad
 * @param way how the copy is made, as {@code --clone} has it
 */
public record DefectTrial(Path understudy, Defect defect, String way) {
    private static final Pattern ALERTS = Pattern.compile("alerts: (http://\\S+)");
    private static final Pattern SESSION = Pattern.compile("session ([0-9a-f]{8}) ");
    private static final Pattern OUTCOME = Pattern.compile("outcome: (\\S+)");
    private static final String TOKEN = "0123456789abcdef";
    private static final long PAUSE_MILLIS = 100;
    private static final long BEFORE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** What is bad in the service's memory. */
    public enum Defect {
        /** An entry of a cache. */
        CACHE("a poisoned cache entry", "/import?pen", 1, "/price?pen", "AgedShop#format"),
        /** All connections of a pool are lost. */
        POOL("a leaked pool", "/leak", 4, "/order?pen", "AgedShop#borrow");

        private final String text;
        private final String cause;
        private final int times;
        private final String failing;
        private final String method;

        Defect(String text, String cause, int times, String failing, String method) {
            this.text = text;
            this.cause = cause;
            this.times = times;
            this.failing = failing;
            this.method = method;
        }

        String text() {
            return text;
        }
    }

    /** Runs it. */
    DefectOutcome run(Path folder) throws IOException, InterruptedException {
        int port = FreePorts.next();
        try (Tool shop = shop(Files.createDirectories(folder.resolve("service")), port)) {
            for (int time = 0; time < defect.times; time++) {
                ShopClients.ask(port, defect.cause);
            }
            Path session = Files.createDirectories(folder.resolve("session"));
            try (Tool watch = Tool.start(session, command(session, shop.handle().pid(), port))) {
                try {
                    return observed(watch, port);
                } finally {
                    end(watch);
                }
            }
        }
    }

    private DefectOutcome observed(Tool watch, int port) throws IOException, InterruptedException {
        String alerts = await(watch, ALERTS);
        try (ShopClients clients = new ShopClients(port, PAUSE_MILLIS, defect.failing, "/price?book")) {
            LockSupport.parkNanos(BEFORE_NANOS);
            long begun = System.nanoTime();
            HttpClient.newHttpClient().send(alert(alerts), BodyHandlers.discarding());
            Path outcome = Path.of(await(watch, OUTCOME), "outcome.json");
            double seconds = (System.nanoTime() - begun) / 1e9;
            if (!clients.problem().isEmpty()) {
                throw new IOException("a client got no reply: " + clients.problem());
            }
            JsonNode document = new ObjectMapper().readTree(outcome.toFile());
            return new DefectOutcome(document.path("failing").asLong(), rank(document), seconds);
        }
    }

    /** Methods that can't be told from one another take a place each. */
    private int rank(JsonNode outcome) {
        int rank = 0;
        for (JsonNode suspect : outcome.path("suspects")) {
            rank++;
            if (suspect.path("method").asText().contains(defect.method)) {
                return rank;
            }
            for (JsonNode alike : suspect.path("alike")) {
                rank++;
                if (alike.asText().contains(defect.method)) {
                    return rank;
                }
            }
        }
        return 0;
    }

    private static HttpRequest alert(String url) {
        String body = "{\"version\":\"4\",\"status\":\"firing\",\"alerts\":[{\"status\":\"firing\",\"labels\":"
                + "{\"alertname\":\"HighErrors\"}}]}";
        return HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private List<String> command(Path folder, long pid, int port) throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), """
                observe: %s
                alerts: {listen: '127.0.0.1:0', token: %s}
                outcome: {folder: %s}
                rules: [{name: alarm, alert: HighErrors}]
                """.formatted(
                        way.equals("criu") ? "3m" : "45s", TOKEN, folder.resolve("outcomes")));
        return List.of(
                understudy.toString(),
                "debug",
                "--pid",
                Long.toString(pid),
                "--protocol",
                port + "=http",
                "--clone",
                way,
                "--rules",
                rules.toString(),
                "--report",
                folder.resolve("report.html").toString());
    }

    private static Tool shop(Path folder, int port) throws IOException {
        String classes = AgedShop.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        List<String> command = List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-Dsun.net.httpserver.nodelay=true",
                "-Dsun.net.httpserver.maxIdleConnections=10000",
                "-Dport=" + port,
                "-cp",
                classes,
                AgedShop.class.getName());
        return Tool.start(folder, command).awaitPort(port);
    }

    private static String await(Tool watch, Pattern pattern) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            Matcher found = pattern.matcher(watch.output());
            if (found.find()) {
                return found.group(1);
            }
            if (!watch.handle().isAlive() || System.nanoTime() - begun > PATIENCE_NANOS) {
                throw new IOException("the session didn't come so far:\n" + watch.output());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void end(Tool watch) throws IOException, InterruptedException {
        Matcher id = SESSION.matcher(watch.output());
        if (id.find() && watch.handle().isAlive()) {
            new ProcessBuilder(understudy.toString(), "debug", "--stop", id.group(1))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectErrorStream(true)
                    .start()
                    .waitFor(1, TimeUnit.MINUTES);
        }
    }
}
