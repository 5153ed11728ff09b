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
}
