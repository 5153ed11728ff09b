package dev.understudy.sidecar.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command against a control port that answers as the aggregator does; the aggregator's tests use what it hands out.
 */
final class CaCommandTest {
    @TempDir
    Path folder;

    private ControlStub aggregator;

    @BeforeEach
    void start() throws IOException {
        aggregator = new ControlStub(uri -> switch (uri) {
            case "/v1/ca.crt" -> "a certificate\n";
            case "/v1/ca.p12" -> "a truststore";
            default -> null;
        });
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @Test
    void certificate_isPrinted() {
        assertThat(ca()).isEqualTo(new Ran(0, "a certificate\n", ""));
    }

    @Test
    void files_areWrittenAsTheyCome() throws IOException {
        Path pem = folder.resolve("ca.crt");
        Path truststore = folder.resolve("ca.p12");

        assertThat(ca("--pem", pem.toString(), "--p12", truststore.toString()).code())
                .isZero();
        assertThat(Files.readString(pem)).isEqualTo("a certificate\n");
        assertThat(Files.readString(truststore)).isEqualTo("a truststore");
    }

    @Test
    void fileThatCantBeWritten_endsWith2() {
        assertThat(ca("--pem", folder.resolve("no/such/folder").toString()).code())
                .isEqualTo(2);
    }

    private Ran ca(String... options) {
        return Ran.run(Stream.concat(Stream.of("ca", "--url", aggregator.url()), Arrays.stream(options))
                .toArray(String[]::new));
    }
}
