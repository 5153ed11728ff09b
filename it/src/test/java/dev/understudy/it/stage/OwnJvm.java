package dev.understudy.it.stage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A service of a test, in a JVM of its own with only its own classes; it says {@code port=N} once it listens. */
public final class OwnJvm {
    /** The agent as a JVM's option, to be followed by its settings. */
    public static final String AGENT = "-javaagent:agent/target/understudy-agent.jar=debug=true";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern PORT = Pattern.compile("port=(\\d+)");

    private OwnJvm() {}

    /** Starts it, as one that is soon there; what it says is in {@code name.log} in the folder. */
    public static Child start(Path folder, Class<?> service, String name, String... options) throws IOException {
        return Child.start(folder.resolve(name + ".log"), command(service, options));
    }

    /** The same, in a session of its own, as what starts services does. */
    public static Child startService(Path folder, Class<?> service, String name, String... options) throws IOException {
        List<String> command = command(service, options);
        command.add(0, "setsid");
        return Child.start(folder.resolve(name + ".log"), command);
    }

    /** What starts it. */
    public static List<String> command(Class<?> service, String... options) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dsun.net.httpserver.nodelay=true"));
        command.addAll(List.of(options));
        String classes =
                service.getProtectionDomain().getCodeSource().getLocation().getPath();
        command.addAll(List.of("-cp", classes, service.getName()));
        return command;
    }

    /** Waits until it listens; the port. */
    public static int port(Child service) {
        await("the service")
                .atMost(PATIENCE)
                .until(() -> PORT.matcher(service.output()).find()
                        || !service.process().isAlive());
        Matcher said = PORT.matcher(service.output());
        assertThat(said.find()).as(service.output()).isTrue();
        return Integer.parseInt(said.group(1));
    }

    /** Waits until it listens, and its agent has armed probes. */
    public static void awaitArmed(Child debug, TeeStage tee) {
        port(debug);
        await("the agent")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(tee.read("/v1/agent").toString())
                        .as(debug.output())
                        .contains("\"state\":\"armed\""));
    }
}
