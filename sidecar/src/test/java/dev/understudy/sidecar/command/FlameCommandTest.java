package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class FlameCommandTest {
    @TempDir
    Path folder;

    @Test
    void withoutStacks_itSaysSo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("flame", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out()).contains("no stacks yet");
        }
    }

    @Test
    void stacks_areListed_collapsedOrDrawn() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/stacks"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"names\":[\"run\",\"a.B.c\"],\"stacks\":[{\"frames\":[0,1]},{\"frames\":[0,1]},"
                                    + "{\"frames\":[0]},{\"span\":\"00000000000000aa\",\"frames\":[0]}]}"))
                    .build();
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());

            Ran listed = Ran.run("flame", "--url", sidecar.controlUrl());
            assertThat(listed.code()).isZero();
            assertThat(listed.out())
                    .contains(
                            "(no route known)",
                            "   3 stacks",
                            "    66.7 %  a.B.c",
                            "    33.3 %  run",
                            "1 stacks are of exchanges that aren't over yet");

            Ran collapsed = Ran.run("flame", "--collapsed", "--url", sidecar.controlUrl());
            assertThat(collapsed.out().lines())
                    .containsExactlyInAnyOrder("(no route known);run;a.B.c 2", "(no route known);run 1");
            assertThat(collapsed.err()).contains("3 stacks");

            Path page = folder.resolve("flame.html");
            assertThat(Ran.run("flame", "--html", page.toString(), "--url", sidecar.controlUrl())
                            .code())
                    .isZero();
            assertThat(page).content().contains("title=\"a.B.c: 2 of 3 stacks (66.7 %)\"");
            Ran refused =
                    Ran.run("flame", "--html", folder.resolve("no/where").toString(), "--url", sidecar.controlUrl());
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("couldn't be written");

            Ran other = Ran.run("flame", "orders", "--route", "GET /x", "--url", sidecar.controlUrl());
            assertThat(other.code()).isEqualTo(1);
        }
    }

    @Test
    void withoutAllocations_itSaysSo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran none = Ran.run("flame", "--allocation", "--url", sidecar.controlUrl());
            assertThat(none.code()).isEqualTo(1);
            assertThat(none.out()).contains("no allocations yet");
        }
    }

    @Test
    void allocations_areListedBySiteAndClass_collapsedOrDrawn_withWhatWasSampled() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/allocations"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"name\":\"debug-7\",\"perSecond\":150,\"samples\":4,\"bytes\":4000000,\"dropped\":0,"
                                    + "\"allocated\":5000000,\"names\":[\"run\",\"a.B.c\",\"byte[]\",\"a.D\"],"
                                    + "\"stacks\":["
                                    + "{\"samples\":3,\"bytes\":3000000,\"frames\":[0,1,2]},"
                                    + "{\"exchange\":\"none\",\"samples\":1,\"bytes\":1000000,\"frames\":[0,3]}]}"))
                    .build();
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());

            Ran listed = Ran.run("flame", "--allocation", "--url", sidecar.controlUrl());
            assertThat(listed.code()).isZero();
            assertThat(listed.out().lines())
                    .containsExactly(
                            "debug-7: 4 samples, 150 a second at most, stand for 4.0 MB; "
                                    + "allocated were 5.0 MB, of which that is 80 %",
                            "(no route known) of debug-7",
                            "   3 samples of 3.0 MB, 75 % of what was sampled there",
                            "   100.0 %  a.B.c makes byte[]",
                            "(no exchange) of debug-7",
                            "   1 sample of 1.0 MB, 25 % of what was sampled there",
                            "   100.0 %  run makes a.D");

            Ran none = Ran.run(
                    "flame", "--allocation", "--route", "(no exchange)", "--collapsed", "--url", sidecar.controlUrl());
            assertThat(none.out().lines()).containsExactly("(no exchange) of debug-7;run;a.D 1000000");
            assertThat(none.err()).contains("4 samples");
            assertThat(Ran.run("flame", "shop", "--allocation", "--url", sidecar.controlUrl())
                            .code())
                    .isEqualTo(1);

            Path page = folder.resolve("allocation.html");
            assertThat(Ran.run("flame", "--allocation", "--html", page.toString(), "--url", sidecar.controlUrl())
                            .code())
                    .isZero();
            assertThat(page)
                    .content()
                    .contains(
                            "What the debug JVM allocates",
                            "debug-7: 4 samples",
                            "title=\"a.B.c: 3000000 of 3000000 bytes (100.0 %)\"");
        }
    }
}
