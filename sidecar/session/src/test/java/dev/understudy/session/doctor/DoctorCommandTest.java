package dev.understudy.session.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.doctor.HealthFinding.Level;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.Sessions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DoctorCommandTest {
    @TempDir
    private Path folder;

    @Test
    void machine_isLookedAt_asText_andAsJson() throws Exception {
        StringWriter json = new StringWriter();
        int code = run(json, "--json", "--limit", "60");
        JsonNode read = new ObjectMapper().readTree(json.toString());

        assertThat(read.path("checks")).hasSizeGreaterThan(10);
        assertThat(read.path("checks").path(0).path("name").asText()).isEqualTo("java");
        assertThat(read.path("checks").path(0).path("level").asText()).isEqualTo("ok");
        assertThat(read.path("failures").asInt()).isZero();
        assertThat(code).isEqualTo(read.path("warnings").asInt() == 0 ? 0 : 1);
        for (JsonNode check : read.path("checks")) {
            assertThat(check.has("wayOut"))
                    .as(check.toString())
                    .isNotEqualTo(check.path("level").asText().equals("ok"));
        }

        StringWriter text = new StringWriter();
        run(text, "--limit", "60");
        assertThat(text.toString()).contains("ok    java ").containsPattern("ok \\d+, warnings \\d+, failures 0");
    }

    @Test
    void worstFinding_isTheExitCode() {
        HealthFinding ok = HealthFinding.ok("a", "fine");
        HealthFinding warn = HealthFinding.warn("b", "odd", "do this");
        HealthFinding fail = HealthFinding.fail("c", "bad", "do that");

        assertThat(DoctorCommand.code(List.of(ok))).isZero();
        assertThat(DoctorCommand.code(List.of(ok, warn))).isEqualTo(1);
        assertThat(DoctorCommand.code(List.of(warn, fail, ok))).isEqualTo(2);
        assertThat(DoctorCommand.text(List.of(ok, warn, fail)))
                .contains("do this", "do that", "ok 1, warnings 1, failures 1");
    }

    @Test
    void options_haveBounds() {
        for (List<String> words : List.of(
                List.of("--limit", "0"),
                List.of("--limit", "601"),
                List.of("--port", "0"),
                List.of("--port", "65536"))) {
            assertThat(run(new StringWriter(), words.toArray(String[]::new)))
                    .as(words.toString())
                    .isEqualTo(2);
        }
    }

    @Test
    void takenPort_isAWarning_andNobodyIsConnectedTo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            taken.setSoTimeout(1);
            HealthFinding finding = KernelHealth.ports("ports", Path.of("/proc"), List.of(taken.getLocalPort()));

            assertThat(finding.level()).isEqualTo(Level.WARN);
            assertThat(finding.text()).contains(String.valueOf(taken.getLocalPort()));
            assertThatThrownBy(taken::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void kernelsFiles_mayBeAbsent_orSayLittle() throws Exception {
        assertThat(KernelHealth.ports("ports", folder, List.of(9090)).level()).isEqualTo(Level.OK);
        assertThat(KernelHealth.cgroup("cgroup", folder).level()).isEqualTo(Level.OK);
        assertThat(KernelHealth.clock("clock", folder, Instant.now()).level()).isEqualTo(Level.OK);
        assertThat(KernelHealth.clock("clock", folder, Instant.EPOCH).level()).isEqualTo(Level.WARN);
        write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
        assertThat(KernelHealth.clock("clock", folder.resolve("sys"), Instant.now())
                        .level())
                .isEqualTo(Level.WARN);
        write("sys/fs/cgroup/cgroup.controllers", "memory\n");
        write("sys/fs/cgroup/memory.max", "134217728\n");
        assertThat(KernelHealth.cgroup("cgroup", folder.resolve("sys")).text()).contains("128 MiB");
        write("self/limits", "Max open files            1024                 1024                 files\n");
        assertThat(JvmHealth.openFiles("files", folder).level()).isEqualTo(Level.WARN);
        write("sys/kernel/yama/ptrace_scope", "3\n");
        assertThat(JvmHealth.attach("attach", folder, folder).text()).contains("ptrace_scope is 3");
    }

    @Test
    void space_isThatOfTheNearestFolder_whichIsNotMade() throws Exception {
        Path deep = folder.resolve("a/b");

        assertThat(SpaceHealth.of("shm", deep, 1, "need").level()).isEqualTo(Level.OK);
        assertThat(SpaceHealth.of("shm", deep, Long.MAX_VALUE, "need").wayOut()).isEqualTo("need");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatAnEndedSessionLeft_isNamed_andThatOfARunningOneIsnt() throws Exception {
        Sessions sessions = new Sessions(folder.resolve("sessions"), Clock.systemUTC());
        assertThat(SessionHealth.left("left", sessions).level()).isEqualTo(Level.OK);
        FileLedger ledger = sessions.create("12", "RESTARTED", folder);
        assertThat(SessionHealth.left("left", sessions).level()).isEqualTo(Level.OK);

        ledger.close();

        HealthFinding finding = SessionHealth.left("left", sessions);
        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.text()).contains(sessions.list().get(0).id());
        assertThat(finding.wayOut()).contains("--undo");
    }

    private void write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static int run(StringWriter out, String... words) {
        return new CommandLine(new DoctorCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(words);
    }
}
