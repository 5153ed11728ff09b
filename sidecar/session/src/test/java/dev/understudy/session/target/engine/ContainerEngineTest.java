package dev.understudy.session.target.engine;

import dev.understudy.session.target.TargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An engine's command line as a script, for replies that a real one rarely gives. */
@Tag("process")
final class ContainerEngineTest {
    private static final String ID = "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    private static String facts(String name, long pid, String status) {
        return "{\"id\":\"" + ID + "\",\"name\":\"/" + name + "\",\"image\":\"shop:1\",\"pid\":" + pid
                + ",\"status\":\"" + status + "\",\"network\":\"shopnet\",\"service\":\"shop\",\"project\":\"p\"}";
    }

    private ContainerSearch search(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("engine"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ContainerSearch(List.of(program.toString()), folder);
    }

    @Test
    void container_isFound_ifItsProcessIsHere() throws Exception {
        ContainerSearch search = search("echo 'a warning' >&2; echo '" + facts("shop-1", 77, "running") + "'");
        assertThatThrownBy(() -> search.container("shop-1"))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("container shop-1 doesn't run on this machine: process 77 isn't its");

        Files.createDirectories(folder.resolve("77"));
        Files.writeString(folder.resolve("77/cgroup"), "0::/system.slice/docker-" + ID + ".scope\n");
        assertThat(search.container("shop-1").pid()).isEqualTo(77);
        assertThat(search.container("shop-1").name()).isEqualTo("shop-1");
        assertThat(search.container("shop-1").network()).isEqualTo("shopnet");
    }

    @Test
    void stateOtherThanRunning_isAnErrorWithTheWayOut() throws Exception {
        assertThatThrownBy(
                        () -> search("echo '" + facts("a", 0, "exited") + "'").container("a"))
                .hasMessageContaining("doesn't run: it is exited (expected: one that runs; ")
                .hasMessageEndingWith(" start a)");
        assertThatThrownBy(
                        () -> search("echo '" + facts("a", 5, "paused") + "'").container("a"))
                .hasMessageContaining("is paused")
                .hasMessageEndingWith(" unpause a)");
    }

    @Test
    void severalContainersOfAService_areAChoice() throws Exception {
        String script = "case \"$1\" in ps) echo " + ID + ";; *) echo '" + facts("shop-1", 5, "running") + "'; echo '"
                + facts("shop-2", 6, "running") + "'; echo '" + facts("shop-3", 0, "exited") + "';; esac";

        assertThatThrownBy(() -> search(script).service("shop"))
                .hasMessage("the compose service shop has 2 containers that run"
                        + " (expected: one of them, by --container: shop-1, shop-2)");
    }

    @Test
    void uselessEngine_isAnErrorWithTheWayOut() throws Exception {
        assertThatThrownBy(() ->
                        search("echo 'Error: No such container: a' >&2; exit 1").container("a"))
                .hasMessageStartingWith("no container a (expected: a name or id that ");
        assertThatThrownBy(() -> search("echo 'Cannot connect to the daemon' >&2; exit 1")
                        .container("a"))
                .hasMessageContaining("can't be used: Cannot connect to the daemon (expected: an engine that runs");
        assertThatThrownBy(() -> search("echo '{'").container("a")).hasMessageContaining("no id, name or pid");
        assertThatThrownBy(() -> search("exit 0").service("a"))
                .hasMessageStartingWith("no container of a compose service a");
        assertThatThrownBy(() -> new ContainerSearch(List.of("no-such-engine", "nor-this"), folder).container("a"))
                .hasMessageStartingWith("no container engine: neither no-such-engine nor nor-this is on the PATH");
        assertThatThrownBy(() -> search("exit 0").container("--all")).hasMessageStartingWith("--container: no name");
        assertThatThrownBy(() -> search("exit 0").service("a b")).hasMessageStartingWith("--compose: no name");
    }

    @Test
    void endlessOutput_isBounded() throws Exception {
        ContainerSearch search =
                search("yes '" + facts("a", 1, "running").replace("shop:1", "x".repeat(500)) + "' | head -c 30000000");

        assertThatThrownBy(() -> search.container("a")).isInstanceOf(TargetException.class);
    }

    @Test
    void damagedFacts_throwNothing() {
        String whole = facts("shop", 1, "running");
        assertThat(ContainerEngine.parse("docker", whole)).isPresent();
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder damaged = new StringBuilder(whole);
            for (int n = random.nextInt(5); n >= 0; n--) {
                int at = random.nextInt(damaged.length() + 1);
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setLength(at);
                    case 1 -> damaged.insert(at, (char) random.nextInt(200));
                    default -> damaged.insert(at, "{[\"9,:".charAt(random.nextInt(6)));
                }
            }
            assertThatCode(() -> ContainerEngine.parse("docker", damaged.toString()))
                    .as("seed %d: %s", seed, damaged)
                    .doesNotThrowAnyException();
        }
        assertThat(ContainerEngine.parse("docker", "[".repeat(100_000))).isEmpty();
        assertThat(ContainerEngine.parse("docker", "{\"pid\":1e999999999,\"id\":\"" + ID + "\",\"name\":\"a\"}"))
                .isEmpty();
    }
}
