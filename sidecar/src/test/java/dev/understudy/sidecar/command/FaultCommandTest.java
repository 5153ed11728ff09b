package dev.understudy.sidecar.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command against a control port that answers as the aggregator does; the aggregator's own tests show what it does.
 */
final class FaultCommandTest {
    private static final String ONE = """
            {"faults":[{"name":"slow","upstream":"db","fault":"latency","delay":"200ms","jitter":"50ms","percent":25.0,
            "seed":0,"at":"0s","phase":"ACTIVE","matched":8,"applied":2}]}""";

    @TempDir
    Path folder;

    private ControlStub aggregator;

    @BeforeEach
    void start() throws IOException {
        aggregator = new ControlStub(uri -> uri.endsWith("/none") ? null : ONE);
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @Test
    void faults_areListedSetAndCleared() throws Exception {
        assertThat(fault("list").out())
                .isEqualTo("slow: latency on db, delay 200ms, jitter 50ms, percent 25.0, at 0s: ACTIVE,"
                        + " hit 2 of 8 requests\n");
        assertThat(fault("set", "db", "latency", "--delay", "200ms", "--percent", "25", "--form", "SELECT *")
                        .code())
                .isZero();
        fault("set", "my db", "reset", "--name", "cut");
        Path schedule = Files.writeString(folder.resolve("schedule.yaml"), "faults: []\n");
        fault("set", "--file", schedule.toString());
        fault("clear", "slow");
        fault("clear");

        assertThat(aggregator.asked)
                .containsExactly(
                        "GET /v1/faults ",
                        "PUT /v1/faults/db-latency {\"upstream\":\"db\",\"fault\":\"latency\",\"delay\":\"200ms\","
                                + "\"form\":\"SELECT *\",\"percent\":\"25\"}",
                        "PUT /v1/faults/cut {\"upstream\":\"my db\",\"fault\":\"reset\"}",
                        "PUT /v1/faults faults: []\n",
                        "DELETE /v1/faults/slow ",
                        "DELETE /v1/faults ");
    }

    @Test
    void whatCantBeDone_is2() {
        Ran none = fault("clear", "none");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("there is no /v1/faults/none");
        assertThat(fault("set", "db").code()).isEqualTo(2);
        assertThat(fault("set", "--file", folder.resolve("absent").toString()).code())
                .isEqualTo(2);
        assertThat(Ran.run("fault").code()).isEqualTo(2);
    }

    private Ran fault(String command, String... more) {
        return aggregator.run("fault", command, more);
    }
}
