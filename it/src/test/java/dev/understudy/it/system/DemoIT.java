package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Child;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("any-jdk")
class DemoIT {
    private static final Pattern FOLDER = Pattern.compile("logs and settings +(\\S+)");

    private static final Pattern CONSOLE = Pattern.compile("understudy console --url (\\S+)");

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    @Test
    void demo_holdsItsInvariants_andSaysSo() throws Exception {
        Path json = folder.resolve("report.json");
        try (Child demo = start("--requests", "2500", "--json", json.toString())) {
            assertThat(demo.exitCode(PATIENCE)).as(demo.output()).isZero();
            assertThat(demo.output())
                    .contains("All invariants held, and the defect was found.")
                    .contains("10 pieces of 6137 cents each, less the discount: 58300")
                    .as("a build of its own")
                    .doesNotContain("mvn ");
            JsonNode report = new ObjectMapper().readTree(json.toFile());
            assertThat(report.path("checks").size()).isGreaterThan(10);
            for (JsonNode check : report.path("checks")) {
                assertThat(check.path("held").asBoolean())
                        .as(check + "\n" + demo.output())
                        .isTrue();
            }
        }
    }

    @Test
    void keptDemo_runsUntilItIsInterrupted_andLeavesNothingBehind() throws Exception {
        try (Child demo = start("--requests", "30", "--keep")) {
            await().atMost(PATIENCE)
                    .until(() -> demo.output().contains("Ctrl-C stops")
                            || !demo.process().isAlive());
            Matcher stage = FOLDER.matcher(demo.output());
            assertThat(stage.find()).as(demo.output()).isTrue();
            Matcher console = CONSOLE.matcher(demo.output());
            assertThat(console.find()).as(demo.output()).isTrue();
            assertThat(source(URI.create(console.group(1)))).contains("class OrdersApplication");
            List<ProcessHandle> parts = demo.process().descendants().toList();

            interrupt(demo);

            assertThat(demo.exitCode(PATIENCE)).isEqualTo(130);
            assertThat(parts).hasSizeGreaterThan(5).noneMatch(ProcessHandle::isAlive);
            assertThat(Files.exists(Path.of(stage.group(1)))).isFalse();
        }
    }

    @Test
    void unknownOption_endsWithCodeTwoAndTheUsage() throws Exception {
        try (Child demo = Child.start(folder.resolve("demo.log"), List.of("./understudy", "demo", "--requsts", "1"))) {
            assertThat(demo.exitCode(PATIENCE)).isEqualTo(2);
            assertThat(demo.output()).contains("--requests");
        }
    }

    private Child start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("./understudy", "demo"));
        command.addAll(List.of(options));
        return Child.start(folder.resolve("demo.log"), command);
    }

    /** What the console shows of the service's source. */
    private static String source(URI control) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        control.resolve("/v1/source?method=dev.understudy.example.orders.OrdersApplication"))
                .header("Authorization", "Bearer " + TokenFile.read(control, Role.ADMIN))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static void interrupt(Child child) throws Exception {
        new ProcessBuilder("kill", "-INT", String.valueOf(child.process().pid()))
                .start()
                .waitFor();
    }
}
