package dev.understudy.session.clone.facts;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.facts.ProcessFacts.Leader;
import dev.understudy.session.target.TargetProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ForecastChecksTest {
    private static final long MB = 1 << 20;
    private static final Path HERE = Path.of("/dev/shm");

    private final TargetProcess target = new TargetProcess(4711, 9, 1000, 1000, List.of("java"), Path.of("/"));
    private boolean isSame = true;
    private char state = 'S';
    private Leader leader = Leader.ITSELF;
    private long tracer;
    private List<String> namespaces = List.of();
    private boolean ownRoot;
    private long resident = 400 * MB;
    private long huge;
    private List<OpenDescriptor> files = List.of();
    private List<MappedFile> mapped = List.of();
    private List<String> outside = List.of();
    private long capabilities = -1;
    private boolean overlay = true;
    private long memory = 8192 * MB;
    private long room = 4096 * MB;
    private String fileSystem = "tmpfs";
    private boolean realtime = true;
    private Optional<Path> group = Optional.of(Path.of("/sys/fs/cgroup"));
    private List<String> missing = List.of();
    private Duration most = Duration.ofSeconds(3);

    @Test
    void ordinaryService_passesEverything() {
        CloneForecast forecast = forecast();

        assertThat(forecast.checks()).allMatch(check -> check.outcome() == Outcome.PASS);
        assertThat(forecast.isPossible()).isTrue();
        assertThat(forecast.suspension()).isBetween(Duration.ofMillis(300), Duration.ofMillis(600));
    }

    @Test
    void suspension_growsWithResidentMemory() {
        assertThat(ForecastChecks.suspension(1024 * MB)).isEqualTo(Duration.ofSeconds(1));
        resident = 4096 * MB;
        memory = room = 64L << 30;

        refuses("suspension", "about 3700 ms for 4096 MB resident (max-suspend: 3000 ms)", "raise max-suspend");
        most = Duration.ofSeconds(4);
        assertThat(forecast().isPossible()).isTrue();
    }

    @Test
    void endedProcess_isRefusedAlone() {
        isSame = false;

        assertThat(forecast().checks()).hasSize(1);
        refuses("process", "4711 has ended", "new pid");
    }

    @Test
    void container_isRefused_withItsOption() {
        namespaces = List.of("mnt", "pid");
        refuses("container", "(mnt, pid)", "--container NAME");

        namespaces = List.of();
        ownRoot = true;
        refuses("container", "root directory", "--container NAME");
    }

    @Test
    void debugger_isRefused_byItsPid() {
        tracer = 99;
        refuses("tracer", "process 99", "detach");
    }

    @Test
    void stoppedProcess_isRefused() {
        state = 'T';
        refuses("state", "its state is T", "continue it");
    }

    @Test
    void process_thatIsInATerminal_isRefused_whereItLeadsNoSession() {
        leader = Leader.ANOTHER;
        warns("session", "joins another");

        leader = Leader.OUTSIDE;
        refuses("session", "another PID namespace", "setsid COMMAND");

        files = List.of(file("/dev/pts/3", 2, 0, -1));
        refuses("session", "terminal", "setsid COMMAND");
    }

    @Test
    void lackOfRights_isRefused_byName() {
        capabilities = ~(1L << 40 | 1L << 21);
        refuses("privileges", "cap_sys_admin, cap_checkpoint_restore", "as root");
    }

    @Test
    void lackOfResources_isPassed_sinceCriuRunsAsTheUser() {
        capabilities = ~(1L << 24);
        assertThat(check("rlimits"))
                .isEqualTo(new CloneCheck(
                        "rlimits", Outcome.PASS, "cap_sys_resource is lacking: CRIU runs as the service's user 1000"));
    }

    @Test
    void machine_withoutWhatIsNeeded_isRefused() {
        overlay = false;
        refuses("overlay", "no overlay", "modprobe overlay");
        missing = List.of("nsenter");
        refuses("programs", "nsenter: not found", "install util-linux");
    }

    @Test
    void memory_andRoom_areNeededForImageAndCopy() {
        room = 500 * MB;
        refuses("image", "500 MB free in /dev/shm, 600 MB needed", "choose another");
        memory = 900 * MB;
        refuses("memory", "900 MB available, 1000 MB needed", "end other programs");
        fileSystem = "ext4";
        warns("secrets", "on ext4");
    }

    @Test
    void missingPreference_andLimits_areWarnings() {
        realtime = false;
        warns("priority", "several times longer");
        group = Optional.empty();
        warns("copy-limits", "nice 10");
    }

    @Test
    void memory_thatCriuCantCopy_isRefused() {
        huge = MB;
        refuses("huge-pages", "can't be copied", "-XX:-UseLargePages");
        mapped = MappedFile.parse(4711, List.of("7f0000-7f1000 rw-s 00000000 00:01 32768 /SYSV00000000 (deleted)"));
        refuses("shared-memory", "System V", "another way");
    }

    @Test
    void zgc_isAWarning() {
        mapped = MappedFile.parse(4711, List.of("7f0000-7f1000 rw-s 00000000 00:01 7   /memfd:java_heap (deleted)"));
        warns("collector", "too high");
    }

    @Test
    void descriptors_thatCriuCantCopy_areRefusedByName() {
        files = List.of(file("anon_inode:[io_uring]", 2, 0, -1), file("anon_inode:[eventpoll]", 2, 0, -1));
        refuses("descriptors", "anon_inode:[io_uring]:", "another way");
        assertThat(check("descriptors").finding()).doesNotContain("eventpoll");
    }

    @Test
    void bytes_writtenInPlace_areLimited() {
        files = List.of(file("/data/log", 02001, 9, 900 * MB), file("/data/out", 1, 100 * MB, 100 * MB));
        assertThat(check("in-place").outcome()).isEqualTo(Outcome.PASS);

        files = List.of(file("/data/store", 2, 9, 60 * MB));
        assertThat(check("in-place").outcome()).isEqualTo(Outcome.PASS);

        mapped = MappedFile.parse(4711, List.of("10000000-10500000 rw-s 00000000 00:01 7 /data/index of it"));
        assertThat(mapped.get(0).path()).isEqualTo("/data/index of it");
        refuses("in-place", "65 MB of files", "move that store");
    }

    @Test
    void largeLogs_areRefused_sinceTheCopyGetsItsOwn() {
        files = List.of(file("/data/log", 02001, 9, 900 * MB));
        assertThat(check("output").outcome()).isEqualTo(Outcome.PASS);

        files = List.of(file("/data/log", 02001, 9, 1025 * MB));
        refuses("output", "1025 MB of files that it writes (writable: 1024 MB)", "rotate its logs");
    }

    @Test
    void deletedFiles_areLimited() {
        files = List.of(file("/tmp/x (deleted)", 2, 9, 65 * MB));
        refuses("deleted", "65 MB (at most 64 MB)", "close that file");
        assertThat(check("in-place").finding()).startsWith("0 MB");
    }

    @Test
    void endsOfOtherProcesses_areAWarning() {
        outside = List.of("pipe:[7]");
        warns("outside", "/dev/null in the copy: pipe:[7]");
    }

    private void refuses(String name, String finding, String wayOut) {
        assertThat(check(name).outcome()).isEqualTo(Outcome.REFUSE);
        assertThat(check(name).finding()).contains(finding).contains(wayOut);
        assertThat(forecast().isPossible()).isFalse();
    }

    private void warns(String name, String finding) {
        assertThat(check(name).outcome()).isEqualTo(Outcome.WARN);
        assertThat(check(name).finding()).contains(finding);
    }

    private CloneCheck check(String name) {
        return forecast().checks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + ": not among " + forecast()));
    }

    private CloneForecast forecast() {
        return ForecastChecks.of(
                target,
                new ProcessFacts(
                        isSame,
                        state,
                        leader,
                        tracer,
                        namespaces,
                        ownRoot,
                        resident,
                        huge,
                        0,
                        List.of(),
                        false,
                        files,
                        mapped,
                        outside),
                new MachineFacts(
                        0, capabilities, overlay, memory, room, fileSystem, realtime, new CopyGroup(group), missing),
                List.of(new CloneCheck("criu", Outcome.PASS, "version 4.2.1")),
                new CloneLimits(most, HERE, 1024 * MB));
    }

    private static OpenDescriptor file(String link, long flags, long position, long size) {
        return new OpenDescriptor(link, HERE, flags, position, size, size < 0 ? "" : "1:" + link.hashCode());
    }
}
