package dev.understudy.it.flame;

import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The README's commands for flame graphs, as a user types them. */
class FlameIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void flame_saysWhereTheDebugJvmsTimeGoes_besideProductions() throws Exception {
        try (Child production = OwnJvm.start(folder, Appraiser.class, "production", "-Dmillis=20")) {
            int debugPort = RealServer.freePort();
            try (TeeStage tee = TeeStage.open(folder, "http", OwnJvm.port(production), debugPort);
                    Child debug = OwnJvm.start(
                            folder,
                            Appraiser.class,
                            "debug",
                            OwnJvm.AGENT + ",name=appraiser-debug,sidecar=" + tee.control(),
                            "-Dmillis=100",
                            "-Dport=" + debugPort)) {
                OwnJvm.awaitArmed(debug, tee);
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

                assertThat(Understudy.run(folder, 0, "flame", "--url", tee.control()))
                        .contains(
                                "GET /articles/{n} (server, debug)",
                                "GET /health (server, debug)",
                                " times production's",
                                "jdk.internal.misc.Unsafe.park");
                Path page = folder.resolve("flame.html");
                Understudy.run(folder, 0, "flame", "--html", page.toString(), "--url", tee.control());
                assertThat(page).content().contains(">Appraiser.appraise<");
                assertThat(Understudy.run(
                                folder,
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
                assertThat(Understudy.run(folder, 1, "flame", "--route", "GET /never", "--url", tee.control()))
                        .contains("no stacks yet");
            }
        }
    }

    private void ask(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
}
