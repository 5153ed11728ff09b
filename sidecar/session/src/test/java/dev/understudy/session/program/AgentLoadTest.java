package dev.understudy.session.program;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.program.SidecarControl.AgentRun;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.verdict.CopyState;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

final class AgentLoadTest {
    private Process production;

    @BeforeEach
    void startProduction() throws Exception {
        production = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void stopProduction() {
        production.destroyForcibly();
    }

    @Test
    void productionItself_isRefused() throws Exception {
        assertThatThrownBy(() -> AgentLoad.proveCopy(copy(production.pid()), target()))
                .isInstanceOf(ProgramFailure.class)
                .hasMessageContaining("can't be told from production's");
    }

    @Test
    void anotherProcess_ofTheSameNamespace_isRefused() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        try {
            assertThatThrownBy(() -> AgentLoad.proveCopy(copy(other.pid()), target()))
                    .isInstanceOf(ProgramFailure.class)
                    .hasMessageContaining("no agent is brought into it");
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void anotherProcess_thatHasTheCopysPidNow_isRefused() {
        assertThatThrownBy(() -> AgentLoad.proveCopy(new DebugCopy(CopyState.LIVE, production.pid(), 1), target()))
                .isInstanceOf(ProgramFailure.class)
                .hasMessageContaining("isn't the copy any more");
    }

    @Test
    void copyWhoseAttachSocket_isProductions_isRefused_anotherIsTaken() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("only root makes namespaces")
                .isEqualTo("root");
        Process box = new ProcessBuilder("unshare", "--pid", "--fork", "--kill-child", "sleep", "60").start();
        Path socket = Path.of("/tmp/.java_pid" + production.pid());
        try {
            while (box.descendants().findAny().isEmpty()) {
                Thread.onSpinWait();
            }
            long pid = box.descendants().findAny().orElseThrow().pid();
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")).toString();

            assertThat("pid:[" + AgentLoad.proveCopy(copy(pid), target()) + "]").isEqualTo(namespace);

            Files.createFile(socket);
            assertThatThrownBy(() -> AgentLoad.proveCopy(copy(pid), target()))
                    .isInstanceOf(ProgramFailure.class)
                    .hasMessageContaining("socket for attaching is production's");
        } finally {
            Files.deleteIfExists(socket);
            box.descendants().forEach(ProcessHandle::destroyForcibly);
            box.destroyForcibly();
        }
    }

    @Test
    void freshAgent_isAwaitedUntilItSamples_thoughTheOneBeforeHadItsName(@TempDir Path folder) throws Exception {
        SessionTokens tokens = SessionTokens.fresh();
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: a, listen: '127.0.0.1:0', production: '127.0.0.1:1', debug: '127.0.0.1:2'}]
                control: {listen: '127.0.0.1:0', token: '%s'}
                """.formatted(tokens.admin()));
        Problems problems = new Problems();
        SidecarConfig config = SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
        try (Sidecar sidecar = Sidecar.start(config)) {
            URI base = URI.create("http://127.0.0.1:" + sidecar.controlAddress().getPort());
            ControlClient client = ControlClient.ofSidecar(base, tokens.admin());
            SidecarControl control = SidecarControl.at(base, tokens);
            client.post("/v1/agent", report("old", 0, "armed"));
            client.post("/v1/orders/probes", Map.of("arm", List.of("com.shop.Cart#total")));
            AgentRun before = control.agent("copy");
            assertThat(before.run()).isEqualTo("old");

            CompletableFuture<Void> awaited = CompletableFuture.runAsync(() -> await(before, control));
            client.post("/v1/agent", report("old", 1, "armed"));
            assertThat(control.agent("copy")).isEqualTo(new AgentRun("old", 1, true));
            assertThat(awaited).isNotDone();
            client.post("/v1/agent", report("new", -1, "armed"));
            assertThat(control.agent("copy")).isEqualTo(new AgentRun("new", -1, true));
            assertThat(awaited).isNotDone();
            client.post("/v1/agent", report("new", 1, "closed"));
            assertThat(control.agent("copy")).isEqualTo(new AgentRun("new", 1, false));
            assertThat(awaited).as("it would miss the first requests").isNotDone();
            client.post("/v1/agent", report("new", 1, "armed"));

            assertThat(awaited).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    private static Map<String, Object> report(String run, long revision, String state) {
        return Map.of("name", "copy", "run", run, "state", state, "orders", Map.of("revision", revision));
    }

    private static void await(AgentRun before, SidecarControl control) {
        try {
            AgentLoad.awaitReport("copy", before, control);
        } catch (ProgramFailure | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static DebugCopy copy(long pid) throws Exception {
        return new DebugCopy(CopyState.LIVE, pid, ProcessStart.ticks(pid));
    }

    private TargetProcess target() throws Exception {
        long pid = production.pid();
        return new TargetProcess(pid, ProcessStart.ticks(pid), 0, 0, List.of("sleep", "60"), Path.of("/"));
    }
}
