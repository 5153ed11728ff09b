package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code resync}, and what other commands say of epochs. */
@Tag("process")
final class ResyncCommandTest {
    @TempDir
    Path folder;

    @Test
    void resync_waitsForTheEnd_andStatusAndReportTellTheEpoch() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.resyncing(folder, "command: [sleep, '0.2']")) {
            assertThat(run(sidecar, "status").out()).doesNotContain("epoch");
            assertThat(run(sidecar, "resync", "--epochs").out())
                    .isEqualTo("epoch 1 of debug, because of start, done; 0 compared, 0 differ\n");

            Ran ran = run(sidecar, "resync");

            assertThat(ran.code()).as(ran.toString()).isZero();
            assertThat(ran.out()).isEqualTo("epoch 2 of debug, because of asked, done; 0 compared, 0 differ\n");
            assertThat(run(sidecar, "status").out())
                    .containsPattern("(?m)^  epoch +2 of debug, because of asked, done; 0 compared, 0 differ$");
            assertThat(run(sidecar, "resync", "--epochs").out()).hasLineCount(2);
            Path page = folder.resolve("report.html");
            Path json = folder.resolve("report.json");
            Ran report =
                    run(sidecar, "report", "--fail-on", "lost", "--html", page.toString(), "--json", json.toString());
            assertThat(report.out()).contains("the debug JVM began anew once, last because of asked: done");
            assertThat(page).content().contains("because of", ">asked<", "done, ");
            assertThat(new ObjectMapper()
                            .readTree(json.toFile())
                            .at("/epochs/1/cause")
                            .asText())
                    .isEqualTo("ASKED");
        }
    }

    @Test
    void resync_thatFails_is1_andSaysWhy() throws Exception {
        try (RunningSidecar sidecar =
                RunningSidecar.resyncing(folder, "command: [sh, -c, 'echo no snapshot; exit 3']")) {
            Ran ran = run(sidecar, "resync");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .startsWith("epoch 2 of debug, because of asked, failed: sh exited with 3: no snapshot; ");
            assertThat(run(sidecar, "status").out()).contains("failed: sh exited with 3: no snapshot");
            assertThat(run(sidecar, "report", "--fail-on", "lost").out())
                    .contains("the debug JVM began anew once, last because of asked: failed, "
                            + "sh exited with 3: no snapshot");
        }
    }

    @Test
    void resync_withNothingToDo_is2() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = run(sidecar, "resync");

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("understudy resync: ", "nothing to do under resync");
        }
    }

    private static Ran run(RunningSidecar sidecar, String command, String... more) {
        String[] all = new String[more.length + 3];
        all[0] = command;
        all[1] = "--url";
        all[2] = sidecar.controlUrl();
        System.arraycopy(more, 0, all, 3, more.length);
        return Ran.run(all);
    }
}
