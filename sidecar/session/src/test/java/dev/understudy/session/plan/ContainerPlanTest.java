package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.session.target.survey.Needs;
import dev.understudy.session.target.survey.ShopProgram;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Plans for real containers. */
@Tag("process")
@Tag("slow")
final class ContainerPlanTest {
    private static final String IMAGE =
            Objects.requireNonNullElse(System.getenv("UNDERSTUDY_JRE_IMAGE"), "eclipse-temurin:17-jre");
    private static final String PREFIX =
            "target-plan-" + ProcessHandle.current().pid() + "-";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> containers = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void network() throws Exception {
        Needs.docker();
        docker("network", "create", "--internal", PREFIX + "net");
    }

    @AfterEach
    void remove() throws Exception {
        if (!containers.isEmpty()) {
            containers.addAll(0, List.of("rm", "--force", "--volumes"));
            docker(containers.toArray(String[]::new));
        }
        run("docker", "network", "rm", PREFIX + "net");
    }

    private static String docker(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isNotNegative();
        return output;
    }

    /** Starts a shop behind a shell, and returns what its first line has. */
    private String start(String name, List<String> options, String words) throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "--detach", "--interactive", "--name", PREFIX + name));
        command.addAll(
                List.of("--network", PREFIX + "net", "--network-alias", name, "--volume", classes() + ":/classes:ro"));
        command.addAll(options);
        command.addAll(List.of(
                IMAGE,
                "sh",
                "-c",
                "java -Xmx32m -cp /classes " + ShopProgram.class.getName() + " " + words + "; exit 0"));
        containers.add(PREFIX + name);
        docker(command.toArray(String[]::new));
        String[] logs = {""};
        Awaitility.await().atMost(PATIENCE).until(() -> {
            logs[0] = docker("logs", PREFIX + name);
            return logs[0].contains("ready");
        });
        return logs[0].substring(logs[0].indexOf("ready") + "ready".length()).strip();
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(ShopProgram.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    @Command(name = "debug")
    static final class Debug {
        @Mixin
        TargetOptions target = new TargetOptions();
    }

    private static SessionPlan plan(String... words) throws Exception {
        Debug command = new Debug();
        new CommandLine(command).parseArgs(words);
        return new SessionPlanner(
                        target -> List.of(), new CloneLimits(Duration.ofSeconds(3), Path.of("/dev/shm"), 1 << 20))
                .plan(command.target);
    }

    @Test
    void container_isSurveyed_withItsUpstreamsNameInItsOwnNetwork() throws Exception {
        String port = start("cache", List.of(), "serve=*");
        start(
                "shop",
                List.of("--env", "CACHE_HOST=cache", "--env", "DB_PASSWORD=hunter2"),
                "serve=* connect=cache:" + port);

        SessionPlan plan = plan("--container", PREFIX + "shop");

        TargetSurvey survey = Objects.requireNonNull(plan.target().survey());
        assertThat(survey.process().command()).contains(ShopProgram.class.getName());
        assertThat(survey.jvm().version()).isNotEqualTo("unknown");
        assertThat(survey.ports()).hasSize(1);
        UpstreamAddress upstream = survey.upstreams().get(0);
        assertThat(upstream.address().getPort()).isEqualTo(Integer.parseInt(port));
        assertThat(upstream.names()).containsExactly("cache");
        assertThat(PlanText.of(plan))
                .startsWith("Target: container " + PREFIX + "shop\n")
                .contains("image " + IMAGE + ", docker")
                .doesNotContain("hunter2");
    }

    @Test
    void containerThatDoesNotRun_orIsNoJvms_isRefused() throws Exception {
        containers.add(PREFIX + "sleep");
        docker("run", "--detach", "--name", PREFIX + "sleep", "--network", PREFIX + "net", IMAGE, "sleep", "600");
        assertThatThrownBy(() -> plan("--container", PREFIX + "sleep"))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("container " + PREFIX + "sleep runs no JVM");

        docker("pause", PREFIX + "sleep");
        assertThatThrownBy(() -> plan("--container", PREFIX + "sleep"))
                .hasMessageContaining("is paused (expected: one that runs; docker unpause " + PREFIX + "sleep)");
        docker("unpause", PREFIX + "sleep");
        docker("kill", PREFIX + "sleep");
        assertThatThrownBy(() -> plan("--container", PREFIX + "sleep"))
                .hasMessageContaining("doesn't run: it is exited");
        assertThatThrownBy(() -> plan("--container", PREFIX + "none"))
                .hasMessageStartingWith("no container " + PREFIX + "none (expected: a name or id that ");
    }

    @Test
    void composeService_isItsOnlyContainer() throws Exception {
        Needs.compose();
        Path file = Files.writeString(folder.resolve("compose.yaml"), """
                name: %sp
                services:
                  %sshop:
                    image: %s
                    network_mode: none
                    stdin_open: true
                    volumes: ["%s:/classes:ro"]
                    command: ["java", "-Xmx32m", "-cp", "/classes", "%s", "serve=*"]
                """.formatted(
                        PREFIX, PREFIX, IMAGE, classes(), ShopProgram.class.getName()));
        String service = PREFIX + "shop";
        try {
            compose(file, "up", "--detach", "--scale", service + "=2");
            assertThatThrownBy(() -> plan("--compose", service))
                    .hasMessageStartingWith("the compose service " + service + " has 2 containers that run"
                            + " (expected: one of them, by --container: " + PREFIX + "p-" + service);

            compose(file, "up", "--detach", "--scale", service + "=1");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(Objects.requireNonNull(
                                            plan("--compose", service).target().survey())
                                    .ports())
                            .hasSize(1));

            compose(file, "stop");
            assertThatThrownBy(() -> plan("--compose", service)).hasMessageContaining("doesn't run: it is exited");
        } finally {
            compose(file, "down", "--volumes");
        }
        assertThatThrownBy(() -> plan("--compose", service))
                .hasMessageStartingWith("no container of a compose service " + service);
    }

    private static void compose(Path file, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker", "compose", "--file", file.toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
