package dev.understudy.kubernetes.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

final class KubernetesInjectCommandTest {
    private static final String DEPLOYMENT = """
            kind: Deployment
            metadata: { name: shop }
            spec:
              selector: { matchLabels: { app: shop } }
              template:
                metadata: { labels: { app: shop } }
                spec: { containers: [{ name: shop, image: shop, env: [{ name: PG, value: "pg:5432" }] }] }
            """;

    private static final String UPSTREAM = "--upstream=db=pg:5432,postgres";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void manifests_areWrittenWithNotesBesides() throws Exception {
        assertThat(run(UPSTREAM, "--production-port=8080", "--image-prefix=reg:5000/u/", "--image-tag=1.0"))
                .isZero();

        assertThat(out.toString())
                .contains("image: reg:5000/u/sidecar:1.0", "u/aggregator:1.0", "u/agent:1.0", "shop-aggregator:15432")
                .doesNotContain("note:");
        assertThat(err.toString()).contains("note: no Service of the input leads to port 8080");
    }

    @Test
    void refusal_isOneLineAndNoOutput() throws Exception {
        assertThat(run(UPSTREAM)).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("understudy kubernetes inject: Deployment shop: container shop names no containerPort")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--production-port=65536",
                "--production-port=-1",
                "--sidecar-port=0",
                "--control-port=65534",
                "--protocol=ftp",
                "--secret=A b",
                "--image-prefix=a b/",
                "--image-tag=a b",
                "--upstream=pg",
                "--service=none",
                "--container=none",
                "--deployment=none",
                "--env=A={none.host}"
            })
    void wrongOptions_areRefusedWithWhatIsExpected(String option) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(UPSTREAM));
        if (!option.startsWith("--production-port")) {
            arguments.add("--production-port=8080");
        }
        arguments.add(option);

        assertThat(run(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).contains("expected: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void file_thatIsntThereIsNamed() {
        assertThat(commandLine()
                        .execute(
                                "kubernetes",
                                "inject",
                                "-f",
                                folder.resolve("none.yaml").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("none.yaml: no file that can be read");
    }

    private int run(String... arguments) throws Exception {
        Path file = Files.writeString(folder.resolve("shop.yaml"), DEPLOYMENT);
        List<String> line = new ArrayList<>(List.of("kubernetes", "inject", "-f", file.toString()));
        line.addAll(List.of(arguments));
        return commandLine().execute(line.toArray(String[]::new));
    }

    private CommandLine commandLine() {
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    }
}
