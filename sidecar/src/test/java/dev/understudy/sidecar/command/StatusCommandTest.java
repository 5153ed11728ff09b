package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

final class StatusCommandTest {
    @TempDir
    Path folder;

    @Test
    void status_isOneScreen_andZeroWhileNothingIsLost() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            sidecar.get("/a");
            await().until(() ->
                    Ran.run("status", "--url", sidecar.controlUrl()).out().matches("(?s).*\\b1 (SAME|EQUIVALENT).*"));

            Ran ran = Ran.run("status", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isZero();
            assertThat(ran.out())
                    .contains("shop  127.0.0.1:", "1 connections open of 1", "tee on", "faithful: 1 of 1 exchanges")
                    .contains("not in sight", "0.0 % (at most", "of 256.0 MiB", "sockets by ");
            assertThat(ran.out().lines().count()).isLessThan(24);
        }
    }

    @Test
    void status_asJson_isTheDocument() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("status", "--json", "--url", sidecar.controlUrl());

            assertThat(new ObjectMapper()
                            .readTree(ran.out())
                            .at("/listeners/0/name")
                            .asText())
                    .isEqualTo("shop");
        }
    }

    @Test
    void status_ofAnUnreachableDebugJvm_is1() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            sidecar.stopDebug();
            sidecar.get("/a");

            await().untilAsserted(() -> assertThat(Ran.run("status", "--url", sidecar.controlUrl()))
                    .returns(1, Ran::code)
                    .extracting(Ran::out)
                    .asString()
                    .contains("1 wait for an unreachable debug JVM"));
        }
    }

    @Test
    void status_findsTheTokenThatTheSidecarHasMade() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.guarded(folder)) {
            assertThat(Ran.run("status", "--url", sidecar.controlUrl()).code()).isZero();

            Ran other = Ran.run("status", "--url", sidecar.controlUrl(), "--token", "another");
            assertThat(other.code()).isEqualTo(2);
            assertThat(other.err()).contains("wants a token", ".admin.token");
        }
    }

    @Test
    void status_needsTheToken() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "open sesame")) {
            Ran without = Ran.run("status", "--url", sidecar.controlUrl());
            assertThat(without.code()).isEqualTo(2);
            assertThat(without.err()).contains("wants a token", "UNDERSTUDY_CONTROL_TOKEN");

            assertThat(Ran.run("status", "--url", sidecar.controlUrl() + "/", "--token", "open sesame")
                            .code())
                    .isZero();
        }
    }

    @Test
    void status_ofNobody_is2_andSaysWhatToDo() throws Exception {
        String gone;
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            gone = sidecar.controlUrl();
        }

        Ran ran = Ran.run("status", "--url", gone);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(gone, "is the sidecar running?").hasLineCount(1);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void url_thatIsNone_is2() {
        assertThat(Ran.run("status", "--url", "sidecar:9090").err()).contains("expected: an address such as");
    }
}
