package dev.understudy.session.ledger;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Things of a real Docker engine. */
@Tag("process")
final class EngineRemovalTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void thingsWithTheLabel_areRemoved_andOthersStay() throws Exception {
        needDocker();
        String name = "nwt" + ProcessHandle.current().pid();
        FileLedger ledger = new Sessions(folder.resolve("sessions"), Clock.systemUTC())
                .create("test", Files.createDirectory(folder.resolve("images")));
        try {
            make(name + "-own", ledger.session());
            make(name + "-other", "00000000");
            for (String each : List.of(name + "-own", name + "-other", name + "-none")) {
                ledger.add(Kind.IMAGE, "docker", each);
                ledger.add(Kind.NETWORK, "docker", each);
                ledger.add(Kind.CONTAINER, "docker", each);
            }

            UndoResult result = ledger.finish();

            assertThat(result.left()).hasSize(3).allSatisfy(left -> {
                assertThat(left.what()).endsWith(name + "-other");
                assertThat(left.reason()).contains("isn't this session's");
            });
            for (String type : List.of("image", "network", "container")) {
                assertThat(docker(type, "inspect", name + "-own").isFine()).isFalse();
                assertThat(docker(type, "inspect", name + "-other").isFine()).isTrue();
            }
        } finally {
            for (String each : List.of(name + "-own", name + "-other")) {
                docker("rm", "--force", each);
                docker("network", "rm", each);
                docker("image", "rm", each);
            }
        }
    }

    /** A stopped container of an empty image, and a network. */
    private void make(String name, String session) throws Exception {
        String label = Removals.LABEL + "=" + session;
        Path archive = folder.resolve("empty.tar");
        Files.write(archive, new byte[10_240]);
        assertThat(docker("import", "--change", "LABEL " + label, archive.toString(), name)
                        .output())
                .contains("sha256");
        assertThat(docker("create", "--label", label, "--name", name, name, "/none")
                        .isFine())
                .isTrue();
        assertThat(docker("network", "create", "--internal", "--label", label, name)
                        .isFine())
                .isTrue();
    }

    private static void needDocker() throws InterruptedException {
        String wish = System.getProperty("understudy.docker", "auto");
        boolean isThere;
        try {
            isThere = docker("version").isFine();
        } catch (IOException notInstalled) {
            isThere = false;
        }
        assertThat(isThere || !wish.equals("required"))
                .as("no Docker engine, and understudy.docker=required")
                .isTrue();
        assumeTrue(isThere && !wish.equals("skip"), "skipped: no Docker engine");
    }

    private static HostCommand.Result docker(String... words) throws IOException, InterruptedException {
        return HostCommand.run(
                LIMIT, Stream.concat(Stream.of("docker"), Arrays.stream(words)).toList());
    }
}
