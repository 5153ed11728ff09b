package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

final class PatchCommandTest {
    private static final byte[] CLASS = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 61, 0, 1};

    @TempDir
    Path folder;

    @Test
    void apply_status_takeBack_tellWhatAgentsSay_andEachChangeIsAnEpoch() throws Exception {
        Path classes = classes();
        try (RunningSidecar sidecar = RunningSidecar.open(folder, p -> "{\"n\":1}", p -> "{\"n\":2}")) {
            report(sidecar, 1, "", "");
            sidecar.get("/before");
            await().until(() ->
                    run(sidecar, "status").out().contains("epoch 1 of debug, because of start, done; 1 compared"));

            Ran refused = apply(sidecar, classes, "\"patch: com.shop.Cart adds field int n\"");
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.out()).contains("  problem: patch: com.shop.Cart adds field int n\n");
            String id = id(refused);

            report(sidecar, 1, id, "");
            sidecar.get("/with");
            sidecar.get("/with/too");
            await().until(() -> run(sidecar, "status").out().contains(", with patch " + id + "; 2 compared, 2 differ"));
            Ran status = run(sidecar, "status");
            assertThat(status.code()).isZero();
            assertThat(status.out())
                    .contains("patch " + id + ": 1 class (com.shop.Cart)\n")
                    .contains("epoch 1 of debug, because of start, done; 1 compared, 1 differ\n")
                    .contains("epoch 2 of debug, because of patched, done, with patch " + id)
                    .contains("revision 1; d-1 follows it");
            assertThat(Ran.run("report", "--fail-on", "lost", "--url", sidecar.controlUrl())
                            .out())
                    .contains("with patch " + id + ", 2 of 2 differ; before, 1 of 1 differs")
                    .doesNotContain("began anew");
            report(sidecar, 1, id, "");
            assertThat(run(sidecar, "status").out()).as("no change").doesNotContain("epoch 3");

            report(sidecar, 2, "", "");
            Ran back = run(sidecar, "take-back");
            assertThat(back.code()).as(back.toString()).isZero();
            assertThat(run(sidecar, "status").out())
                    .contains("no patch is wanted", "epoch 3 of debug, because of patched, done;");
            assertThat(Ran.run("report", "--fail-on", "lost", "--url", sidecar.controlUrl())
                            .out())
                    .contains("with its own classes again, 0 of 0 differ; before, 3 of 3 differ");
            assertThat(run(sidecar, "take-back").err()).contains("no patch is wanted");
        }
    }

    @Test
    void theJar_isThereForAgents_asLongAsItIsWanted() throws Exception {
        Path classes = classes();
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran nobody = run(sidecar, "apply", classes.toString());
            assertThat(nobody.code()).isEqualTo(1);
            assertThat(nobody.out()).contains("no agent is there to follow it");
            String id = id(nobody);
            assertThat(id(run(sidecar, "apply", classes.toString())))
                    .as("the same files")
                    .isEqualTo(id);
            assertThat(jar(sidecar, id).statusCode()).isEqualTo(200);
            Path file =
                    Files.write(folder.resolve("patch.jar"), jar(sidecar, id).body());
            assertThat(id(run(sidecar, "apply", file.toString())))
                    .as("as a jar")
                    .isEqualTo(id);
            assertThat(jar(sidecar, "0").statusCode()).isEqualTo(404);
            run(sidecar, "take-back");
            assertThat(jar(sidecar, id).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void whatIsNoPatch_is2_andNeverSent() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Path empty = Files.createDirectory(folder.resolve("empty"));
            assertThat(run(sidecar, "apply", empty.toString()).err()).contains("no class files (expected: ");
            assertThat(run(sidecar, "apply", folder.resolve("nowhere").toString())
                            .err())
                    .contains("doesn't exist");
            Path text = Files.createDirectory(folder.resolve("text"));
            Files.writeString(text.resolve("A.class"), "no class file");
            Ran refused = run(sidecar, "apply", text.toString());
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("A.class (expected: class files only");
            assertThat(run(sidecar, "status").out()).contains("no patch is wanted", "revision 0; no agent");
        }
    }

    @Test
    void withATokenOnlyWhoHasItMayPatch() throws Exception {
        Path classes = classes();
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "break a leg")) {
            assertThat(run(sidecar, "apply", classes.toString()).err()).contains("wants a token");
            assertThat(run(sidecar, "apply", classes.toString(), "--token", "break a leg")
                            .out())
                    .contains("com.shop.Cart");
        }
    }

    private Path classes() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Files.createDirectories(classes.resolve("META-INF"));
        Files.writeString(classes.resolve("META-INF/readme"), "isn't sent");
        Files.write(Files.createDirectories(classes.resolve("com/shop")).resolve("Cart.class"), CLASS);
        return classes;
    }

    private Ran apply(RunningSidecar sidecar, Path classes, String problem) throws Exception {
        report(sidecar, 1, "", problem);
        return run(sidecar, "apply", classes.toString());
    }

    private static String id(Ran ran) {
        Matcher found = Pattern.compile("patch ([0-9a-f]{32}): 1 class ").matcher(ran.out());
        assertThat(found.find()).as(ran.toString()).isTrue();
        return found.group(1);
    }

    private static void report(RunningSidecar sidecar, int revision, String patch, String problems) throws Exception {
        String report = "{\"name\":\"d-1\",\"patch\":\"" + patch + "\",\"orders\":{\"revision\":" + revision
                + ",\"standing\":{},\"problems\":[" + problems + "]}}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/agent"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(report))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static HttpResponse<byte[]> jar(RunningSidecar sidecar, String id) throws Exception {
        URI uri = URI.create(sidecar.controlUrl() + "/v1/orders/patch/" + id);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
    }

    private static Ran run(RunningSidecar sidecar, String command, String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "patch";
        all[1] = command;
        all[2] = "--url";
        all[3] = sidecar.controlUrl();
        System.arraycopy(more, 0, all, 4, more.length);
        return Ran.run(all);
    }
}
