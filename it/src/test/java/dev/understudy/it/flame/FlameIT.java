package dev.understudy.it.flame;

import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.TeeStage;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The README's commands for flame graphs, as a user types them. */
class FlameIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("port=(\\d+)");
    private static final String AGENT = "agent/target/understudy-agent.jar";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void flame_saysWhereTheDebugJvmsTimeGoes_besideProductions() throws Exception {
        try (Child production = appraiser("production", "-Dmillis=20")) {
            int debugPort = RealServer.freePort();
            try (TeeStage tee = TeeStage.open(folder, "http", port(production), debugPort);
                    Child debug = appraiser(
                            "debug",
                            "-javaagent:" + AGENT + "=debug=true,name=appraiser-debug,sidecar=" + tee.control(),
                            "-Dmillis=100",
                            "-Dport=" + debugPort)) {
                port(debug);
                await("the agent")
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(tee.read("/v1/agent").toString())
                                .as(debug.output())
                                .contains("\"state\":\"armed\""));
                int[] sent = new int[1];
                await("stacks of articles").atMost(PATIENCE).until(() -> {
                    ask(tee.port(), "/articles/" + sent[0]++);
                    ask(tee.port(), "/health");
                    tee.awaitExchanges(2 * sent[0]); // a debug JVM that lags behind has no budget for stacks
                    return tee.read("/v1/flame?route=GET%20/articles/%7Bn%7D")
                                    .at("/routes/0/samples")
                                    .asInt()
                            >= 10;
                });

                assertThat(run(0, "flame", "--url", tee.control()))
                        .contains(
                                "GET /articles/{n} (server, debug)",
                                "GET /health (server, debug)",
                                " times production's",
                                "jdk.internal.misc.Unsafe.park");
                Path page = folder.resolve("flame.html");
                run(0, "flame", "--html", page.toString(), "--url", tee.control());
                assertThat(page).content().contains(">Appraiser.appraise<");
                assertThat(run(
                                0,
                                "flame",
                                "server",
                                "--route",
                                "GET /articles/{n}",
                                "--collapsed",
                                "--url",
                                tee.control()))
                        .containsPattern(
                                "(?m)^server: GET /articles/\\{n};java\\.lang\\.Thread\\.run;.*;dev\\.understudy\\.it\\.flame"
                                        + "\\.Appraiser\\.serve;dev\\.understudy\\.it\\.flame\\.Appraiser\\.appraise;.* \\d+$")
                        .doesNotContain("/health");
                assertThat(run(1, "flame", "--route", "GET /never", "--url", tee.control()))
                        .contains("no stacks yet");
            }
        }
    }

    private String run(int code, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("./understudy"));
        line.addAll(List.of(command));
        try (Child child = Child.start(folder.resolve(command[0] + ".log"), line)) {
            assertThat(child.exitCode(PATIENCE))
                    .as(line + "\n" + child.output())
                    .isEqualTo(code);
            return child.output();
        }
    }

    private void ask(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private Child appraiser(String name, String... options) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx256m", "-Dsun.net.httpserver.nodelay=true"));
        command.addAll(List.of(options));
        String classes = Appraiser.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        command.addAll(List.of("-cp", classes, Appraiser.class.getName()));
        return Child.start(folder.resolve(name + ".log"), command);
    }

    private static int port(Child child) {
        await("the appraiser")
                .atMost(PATIENCE)
                .until(() ->
                        PORT.matcher(child.output()).find() || !child.process().isAlive());
        Matcher said = PORT.matcher(child.output());
        assertThat(said.find()).as(child.output()).isTrue();
        return Integer.parseInt(said.group(1));
    }
}
