package dev.understudy.sidecar.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code record start}, {@code stop} and {@code status}, beside the {@code record} that relays by itself. */
final class RecordLiveTest {
    @TempDir
    Path folder;

    @Test
    void runningSidecar_records_betweenStartAndStop() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "break a leg")) {
            assertThat(record(sidecar, "status").out()).isEqualTo("shop  nothing was recorded\n");
            Ran started = record(sidecar, "start", "shop");
            assertThat(started.code()).as(started.toString()).isZero();
            assertThat(started.out()).startsWith("shop  recording").contains("on, ", ".understudy");
            assertThat(sidecar.get("/recorded")).isEqualTo(200);

            Ran stopped = record(sidecar, "stop", "shop");
            assertThat(stopped.code()).as(stopped.toString()).isZero();
            assertThat(stopped.out()).contains("off, ", "1 connections");
            assertThat(Ran.run("status", "--url", sidecar.controlUrl(), "--token", "break a leg")
                            .out())
                    .contains("recording", ".understudy");

            try (Stream<Path> files = Files.list(folder.resolve("recordings"))) {
                Path file = files.findFirst().orElseThrow();
                assertThat(Ran.run("inspect", file.toString(), "--requests").out())
                        .contains("1 of 1 connections, 1 requests", "GET /recorded");
            }
        }
    }

    @Test
    void wrongNamesAndTokens_are2_andTheRelayItselfWantsItsOptions() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "break a leg")) {
            Ran unknown = record(sidecar, "start", "a shop");
            assertThat(unknown.code()).isEqualTo(2);
            assertThat(unknown.err()).contains("understudy record start: ", "no listener a shop");
            Ran refused = Ran.run("record", "stop", "shop", "--url", sidecar.controlUrl());
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("wants a token");
        }
        Ran nothing = Ran.run("record");
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("--listen, --to and --file; or start, stop or status");
        assertThat(Ran.run("record", "--listen", "127.0.0.1:0").err()).contains("--to", "--file");
    }

    private static Ran record(RunningSidecar sidecar, String... arguments) {
        List<String> all = new ArrayList<>(List.of("record"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--url", sidecar.controlUrl(), "--token", "break a leg"));
        return Ran.run(all.toArray(String[]::new));
    }
}
