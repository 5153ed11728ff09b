package dev.understudy.session.program;

import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    private static DebugCopy copy(long pid) throws Exception {
        return new DebugCopy(CopyState.LIVE, pid, ProcessStart.ticks(pid));
    }

    private TargetProcess target() throws Exception {
        long pid = production.pid();
        return new TargetProcess(pid, ProcessStart.ticks(pid), 0, 0, List.of("sleep", "60"), Path.of("/"));
    }
}
