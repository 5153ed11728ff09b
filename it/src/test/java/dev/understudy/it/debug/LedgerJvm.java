package dev.understudy.it.debug;

import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/** A JVM in which a {@link Ledger} serves. */
final class LedgerJvm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern PORT = Pattern.compile("port=(\\d+)");
    private static final Pattern JDWP = Pattern.compile("transport dt_socket at address: (\\d+)");

    private final Child child;

    private LedgerJvm(Child child) {
        this.child = child;
    }

    /** @param options of the JVM */
    static LedgerJvm start(Path output, String... options) throws IOException {
        return start(output, 0, options);
    }

    /** @param port where it serves; 0 for a free one */
    static LedgerJvm start(Path output, int port, String... options) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes =
                Ledger.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        List<String> command = new ArrayList<>(
                List.of(java, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes));
        // longer than any pause here: the server would take its clients for gone after 30 s, and close
        command.add("-Dsun.net.httpserver.idleInterval=600");
        // or each reply takes 40 ms, the time of a delayed acknowledgement
        command.add("-Dsun.net.httpserver.nodelay=true");
        command.addAll(List.of(options));
        command.addAll(List.of(Ledger.class.getName(), String.valueOf(port)));
        LedgerJvm jvm = new LedgerJvm(Child.start(output, command));
        await(output.toString())
                .atMost(PATIENCE)
                .until(() -> jvm.child.output().contains("port=")
                        || !jvm.child.process().isAlive());
        return jvm;
    }

    /** Where it serves. */
    int port() {
        return number(PORT);
    }

    /** Where it awaits a debugger; it has to have been started so. */
    int debuggerPort() {
        return number(JDWP);
    }

    /** What all clients have booked, a line each. */
    List<String> chains() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/chains"))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofLines())
                .body()
                .toList();
    }

    /** Ends it as the kernel does when memory is short. */
    void kill() {
        child.process().destroyForcibly().onExit().join();
    }

    private int number(Pattern pattern) {
        Matcher said = pattern.matcher(child.output());
        if (!said.find()) {
            throw new IllegalStateException(child.output());
        }
        return Integer.parseInt(said.group(1));
    }

    @Override
    public void close() {
        child.close();
    }
}
