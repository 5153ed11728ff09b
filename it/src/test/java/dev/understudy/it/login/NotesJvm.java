package dev.understudy.it.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;

import static org.awaitility.Awaitility.await;

/** A JVM with the service of {@code it/login}, on a port of its own. */
final class NotesJvm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final Child child;
    private final int port;

    private NotesJvm(Child child, int port) {
        this.child = child;
        this.port = port;
    }

    static NotesJvm start(Path output) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path jar = Checkout.root().resolve(Path.of("it", "login", "target", "login.jar"));
        Child child = Child.start(
                output,
                List.of(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        jar.toString(),
                        "--server.port=0"));
        try {
            await(output.toString())
                    .atMost(PATIENCE)
                    .until(() -> PORT.matcher(child.output()).find()
                            || !child.process().isAlive());
        } catch (ConditionTimeoutException e) {
            child.close();
            throw e;
        }
        Matcher said = PORT.matcher(child.output());
        if (!said.find()) {
            child.close();
            throw new IllegalStateException(child.output());
        }
        return new NotesJvm(child, Integer.parseInt(said.group(1)));
    }

    int port() {
        return port;
    }

    /** How many notes there are, and how often they were changed. */
    JsonNode figures() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/figures"))
                .timeout(PATIENCE)
                .build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
    }

    @Override
    public void close() {
        child.close();
    }
}
