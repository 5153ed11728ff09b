package dev.understudy.it.session;

import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsDocker;
import dev.understudy.it.stage.NeedsPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** {@code understudy debug --container}, on a service in a container of a real engine that knows nothing of it. */
@NeedsDocker
@Timeout(value = 10, unit = TimeUnit.MINUTES) // four JVMs start in each
@Tag("any-jdk") // its service runs on the JRE of its image
final class ContainerSessionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String JRE =
            Objects.requireNonNullElse(System.getenv("UNDERSTUDY_JRE_IMAGE"), "eclipse-temurin:17-jre");
    private static final String REDIS = Objects.requireNonNullElse(System.getenv("UNDERSTUDY_REDIS_IMAGE"), "redis:7");
    private static final String NAME = "session-" + ProcessHandle.current().pid();
    private static final int PORT = 8080;

    @TempDir
    private Path folder;

    private Path volume;
    private String address;

    @BeforeEach
    void start() throws Exception {
        volume = Files.createDirectory(folder.resolve("volume"));
        Files.writeString(volume.resolve("notes"), "0123456789");
        docker("network", "create", NAME);
        docker("run", "--detach", "--name", NAME + "-redis", "--network", NAME, "--network-alias", "stock", REDIS);
        List<String> command = new ArrayList<>(List.of("run", "--detach", "--name", NAME, "--network", NAME));
        command.addAll(List.of("--env", "REDIS_HOST=stock", "--memory", "512m"));
        command.addAll(List.of("--volume", volume + ":/data", "--volume", classes() + ":/classes:ro", JRE, "java"));
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true"));
        command.addAll(List.of("-Dbind=0.0.0.0", "-Dport=" + PORT, "-Dredis.host=stock", "-Dredis=6379"));
        command.addAll(List.of("-Dnotes=/data/notes", "-cp", "/classes", Till.class.getName()));
        docker(command.toArray(String[]::new));
        await("the service").atMost(PATIENCE).until(() -> docker("logs", NAME).contains("port="));
        address = docker(
                        "inspect", "--format", "{{(index .NetworkSettings.Networks \"" + NAME + "\").IPAddress}}", NAME)
                .strip();
    }

    @AfterEach
    void stop() throws Exception {
        docker("rm", "--force", "--volumes", NAME, NAME + "-redis");
        docker("network", "rm", NAME);
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "runc"})
    void container_isCopiedWithItsMemory_andLeftAsItWas() throws Exception {
        ask("/put?coupon=half");
        for (int n = 0; n < 20; n++) {
            ask("/sold");
        }
        try (Child session = debug()) {
            String id = SessionProbe.awaitLive(session);
            assertThat(session.output()).contains("container " + NAME, "copy LIVE by container");

            answerAlike(session, 20);
            end(session, id);

            assertThat(session.output()).contains("same answers on 80 of 80").doesNotContain("what isn't recorded");
        }
        assertThat(ask("/get?coupon")).isEqualTo("half");
        assertThat(volume.resolve("notes")).hasContent("0123456789" + "x".repeat(20));
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "runc"})
    void container_isStartedOnceMore_withItsVolumes_andWritesNoneOfThem() throws Exception {
        try (Child session = debug("--clone", "restart")) {
            String id = SessionProbe.awaitLive(session);
            assertThat(session.output()).contains("copy RESTARTED by container-restart");

            answerAlike(session, 0);
            end(session, id);

            assertThat(session.output()).contains("the copy asked upstreams 1 times for what isn't recorded");
        }
        assertThat(ask("/starts")).isEqualTo(":1");
        assertThat(volume.resolve("notes")).hasContent("0123456789" + "x".repeat(20));
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "runc"})
    void killedSession_leavesTheContainerAlone_andIsUndone() throws Exception {
        try (Child session = debug()) {
            String id = SessionProbe.awaitLive(session);
            ask("/sold");

            session.process().descendants().forEach(ProcessHandle::destroyForcibly);
            session.process().destroyForcibly().onExit().join();

            await("the undo")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(run("--undo", id)).isZero());
            SessionProbe.assertNothingIsLeft(id);
            assertThat(in("iptables-save")).doesNotContain(id);
        }
        assertThat(ask("/sold")).isEqualTo("sold 2");
    }

    /** The copy's replies are compared with production's, which go on from what it has sold. */
    private void answerAlike(Child session, int sold) throws Exception {
        for (int n = 1; n <= 20; n++) {
            assertThat(ask("/sold")).isEqualTo("sold " + (sold + n));
            assertThat(ask("/stock?pens")).isEqualTo(":" + n);
            assertThat(ask("/note?x")).isEqualTo("noted");
            ask("/get?coupon");
        }
        await("all verdicts")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(SessionProbe.compared(session))
                        .as(session.output())
                        .isEqualTo(80));
    }

    private void end(Child session, String id) throws Exception {
        assertThat(run("--stop", id)).isZero();
        assertThat(session.exitCode(PATIENCE)).as(session.output()).isZero();
        SessionProbe.assertNothingIsLeft(id);
        assertThat(in("iptables-save")).doesNotContain(id);
        assertThat(docker("ps", "--all", "--format", "{{.Names}}")).doesNotContain(id);
    }

    private Child debug(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--container", NAME));
        all.addAll(List.of("--protocol", PORT + "=http", "--protocol", "6379=redis"));
        all.addAll(List.of("--report", folder.resolve("report.html").toString()));
        all.addAll(List.of(options));
        return Child.start(folder.resolve("session.log"), SessionProbe.line(all.toArray(String[]::new)));
    }

    private int run(String... options) throws Exception {
        try (Child command = Child.start(folder.resolve("command.log"), SessionProbe.line(options))) {
            return command.exitCode(PATIENCE);
        }
    }

    /** What a program prints in the container's network. */
    private static String in(String... command) throws Exception {
        String pid = docker("inspect", "--format", "{{.State.Pid}}", NAME).strip();
        return output(Stream.concat(Stream.of("nsenter", "--net=/proc/" + pid + "/ns/net"), Stream.of(command))
                .toList());
    }

    private static String docker(String... words) throws Exception {
        return output(Stream.concat(Stream.of("docker"), Stream.of(words)).toList());
    }

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
        return output;
    }

    private static String classes() {
        return Till.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private String ask(String path) throws IOException {
        return SessionProbe.ask(address, PORT, path);
    }
}
