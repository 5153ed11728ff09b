package dev.understudy.session.target.survey;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A process may choose what much of {@code /proc} shows of it. */
@Tag("process")
final class HostileProcTest {
    /** Time of this thread: a busy machine doesn't count. */
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private FakeProc proc;

    @BeforeEach
    void open() throws IOException {
        proc = new FakeProc(folder);
    }

    @Test
    void plainOne_isRead() throws Exception {
        TargetSurvey survey = proc.surveyor().survey(FakeProc.PID);

        assertThat(survey.jvm().version()).isEqualTo("21.0.1");
        assertThat(survey.jvm().collector()).isEqualTo("Serial");
        assertThat(survey.residentBytes()).isEqualTo(1 << 20);
        assertThat(survey.process().startTicks()).isEqualTo(100);
        assertThat(survey.process().uid()).isEqualTo(1000);
    }

    @Test
    void tenThousandSockets_amongManyOthers_areCountedQuickly() throws Exception {
        StringBuilder table = new StringBuilder("  sl  local_address rem_address   st\n");
        table.append(row("00000000:1F90", "00000000:0000", "0A", 1));
        proc.descriptor(1, "socket:[1]");
        for (int n = 2; n < 10_000; n++) {
            proc.descriptor(n, "socket:[" + n + "]");
            table.append(row("0100007F:1F90", "0200007F:" + String.format("%04X", n), "01", n));
        }
        for (int n = 0; n < 50_000; n++) {
            table.append(row("0100007F:1F90", "0200007F:ABCD", "01", 1_000_000 + n));
        }
        proc.write("net/tcp", table.toString());

        long began = CPU.getCurrentThreadCpuTime();
        TargetSurvey survey = proc.surveyor().survey(FakeProc.PID);

        assertThat(Duration.ofNanos(CPU.getCurrentThreadCpuTime() - began)).isLessThan(Duration.ofSeconds(10));
        assertThat(survey.ports()).singleElement().satisfies(port -> {
            assertThat(port.address().getPort()).isEqualTo(8080);
            assertThat(port.connections()).isEqualTo(9_998);
        });
    }

    private static String row(String local, String remote, String state, long inode) {
        return "   1: " + local + " " + remote + " " + state + " 00000000:00000000 00:00000000 00000000  1000        0 "
                + inode + " 1 0000 20 4 30 10 -1\n";
    }

    @Test
    void thousandsOfUpstreams_areBounded_andNoted() throws Exception {
        StringBuilder table = new StringBuilder();
        for (int n = 1; n <= 2000; n++) {
            proc.descriptor(n, "socket:[" + n + "]");
            table.append(row("0100007F:ABCD", "0200007F:" + String.format("%04X", n), "01", n));
        }
        proc.write("net/tcp", table.toString());

        TargetSurvey survey = proc.surveyor().survey(FakeProc.PID);

        assertThat(survey.upstreams()).hasSize(500);
        assertThat(survey.notes()).anyMatch(note -> note.contains("more than 500 servers"));
    }

    @Test
    void hugeEnvironmentAndCommandLine_areReadToALimit() throws Exception {
        proc.write("cmdline", "java\0-Dx=" + "\n\u001b[2J\u0007".repeat(300_000) + "\0" + "-Xmx1g\0".repeat(50_000));
        proc.write("environ", "A=http://h:1,\0".repeat(400_000) + "=\0\0\0==\0");
        proc.write(
                "maps",
                FakeProc.MAPS + "x".repeat(5_000_000) + "\n\n 1 2 3 4 5 6 7\n" + "- - - - - /a.jar\n".repeat(50_000));

        TargetSurvey survey = proc.surveyor().survey(FakeProc.PID);

        assertThat(survey.process().command()).hasSizeLessThanOrEqualTo(10_000);
        assertThat(survey.process().command().stream().mapToLong(String::length).sum())
                .isLessThanOrEqualTo(1 << 20);
    }

    @Test
    void releaseFile_isNotLookedForOutsideOfTheTargetsOwnFiles() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "JAVA_VERSION=\"6.6.6\"\n");
        Path release = proc.process().resolve("root/opt/jdk/release");
        Files.delete(release);
        Files.createSymbolicLink(release, secret.toAbsolutePath());

        assertThat(proc.surveyor().survey(FakeProc.PID).jvm().version()).isEqualTo("unknown");

        Files.delete(release);
        Files.createSymbolicLink(release, Path.of("/etc/../../../etc/java-release"));
        Files.writeString(proc.process().resolve("root/etc/java-release"), "JAVA_VERSION=\"17.0.2\"\n");
        assertThat(proc.surveyor().survey(FakeProc.PID).jvm().version()).isEqualTo("17.0.2");

        Files.delete(release);
        Files.createSymbolicLink(release, Path.of("release"));
        assertThat(proc.surveyor().survey(FakeProc.PID).jvm().version()).isEqualTo("unknown");
    }

    @Test
    void pipeInsteadOfAReleaseFile_isNotWaitedFor() throws Exception {
        Path release = proc.process().resolve("root/opt/jdk/release");
        Files.delete(release);
        run("mkfifo", release.toString());

        CompletableFuture<TargetSurvey> survey = inBackground();
        assertThat(survey.get(30, TimeUnit.SECONDS).jvm().version()).isEqualTo("unknown");
    }

    /** The survey waits at a pipe in the place of its environment, while the process changes. */
    @Test
    void pidOfAnotherProcessMeanwhile_isNoticed() throws Exception {
        assertThatThrownBy(() -> changedMeanwhile(() -> proc.write("stat", FakeProc.stat(200))))
                .hasMessageStartingWith("process 4242 ended, and another one has its number now");
    }

    @Test
    void endOfTheProcessMeanwhile_isNoticed() throws Exception {
        assertThatThrownBy(() -> changedMeanwhile(() -> {
                    Files.delete(proc.process().resolve("stat"));
                    Files.delete(proc.process().resolve("net/tcp"));
                }))
                .hasMessageStartingWith("process 4242 ended while it was surveyed");
        open(folder.resolve("again"));
        assertThatThrownBy(() -> changedMeanwhile(
                        () -> proc.write("status", FakeProc.STATUS.replace("S (sleeping)", "Z (zombie)"))))
                .hasMessageStartingWith("process 4242 ended while it was surveyed");
    }

    private void open(Path again) throws IOException {
        proc = new FakeProc(again);
    }

    private interface Change {
        void make() throws IOException;
    }

    private void changedMeanwhile(Change change) throws Exception {
        Path environment = proc.process().resolve("environ");
        Files.delete(environment);
        run("mkfifo", environment.toString());
        CompletableFuture<TargetSurvey> survey = inBackground();
        // opening it waits until the survey has opened it, too
        try (var pipe = Files.newOutputStream(environment)) {
            change.make();
            pipe.write('A');
        }
        try {
            survey.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    private CompletableFuture<TargetSurvey> inBackground() {
        CompletableFuture<TargetSurvey> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(proc.surveyor().survey(FakeProc.PID));
            } catch (TargetException | InterruptedException failed) {
                result.completeExceptionally(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(List.of(command)).start().waitFor()).isZero();
    }

    @Test
    void uselessFiles_areAnErrorWithTheWayOut() throws Exception {
        proc.write("status", "");
        assertThatThrownBy(() -> proc.surveyor().survey(FakeProc.PID))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("status can't be read (expected: /proc of Linux");
        proc.write("status", FakeProc.STATUS);
        proc.write("stat", "4242 (java) S 1");
        assertThatThrownBy(() -> proc.surveyor().survey(FakeProc.PID)).hasMessageContaining("stat can't be read");
    }
}
