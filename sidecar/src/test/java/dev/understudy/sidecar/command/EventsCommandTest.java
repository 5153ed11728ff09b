package dev.understudy.sidecar.command;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class EventsCommandTest {
    @TempDir
    Path folder;

    @Test
    void events_areALineEach() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "break a leg")) {
            turn(sidecar, "paused");
            turn(sidecar, "on");
            Ran ran = events(sidecar, "--after", "before the sidecar", "--count", "4");

            assertThat(ran.code()).isZero();
            assertThat(ran.out().lines())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("missed", "events=null", "why=\"unknown id\""),
                            line -> assertThat(line)
                                    .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  tee {9}listener=shop mode=paused"),
                            line -> assertThat(line)
                                    .contains(
                                            "by=admin role=admin",
                                            "PUT /v1/listeners/shop/tee",
                                            "paused",
                                            "status=200"),
                            line -> assertThat(line).endsWith("listener=shop mode=on"));
            assertThat(events(sidecar, "--json", "--window", "--count", "1").out())
                    .startsWith("{\"event\":\"window\",\"id\":null,\"data\":{\"debug\":\"debug\",");
        }
    }

    @Test
    void events_ofASidecarThatWontTell_are2() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "break a leg")) {
            Ran ran = Ran.run("events", "--url", sidecar.controlUrl());
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("wants a token");
            assertThat(events(sidecar, "--count", "0").code()).isEqualTo(2);
        }
    }

    private static void turn(RunningSidecar sidecar, String mode) {
        assertThat(Ran.run("tee", "shop", mode, "--url", sidecar.controlUrl(), "--token", "break a leg")
                        .code())
                .isZero();
    }

    private static Ran events(RunningSidecar sidecar, String... options) {
        String[] all = new String[options.length + 5];
        all[0] = "events";
        all[1] = "--url";
        all[2] = sidecar.controlUrl();
        all[3] = "--token";
        all[4] = "break a leg";
        System.arraycopy(options, 0, all, 5, options.length);
        return Ran.run(all);
    }
}
