package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.OpenDescriptor;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RestartChecksTest {
    private static final MachineFacts MACHINE = new MachineFacts(
            0, ~0L, true, 8L << 30, 8L << 30, "tmpfs", true, new CopyGroup(Optional.empty()), List.of("ss"));

    /** This test's own JVM, whose command line can be read. */
    private final TargetProcess self = new TargetProcess(
            ProcessHandle.current().pid(),
            ProcFile.startTicks(ProcessHandle.current().pid()),
            0,
            0,
            List.of(),
            Path.of("/"));

    private static ProcessFacts facts(boolean isSame, List<String> namespaces, OpenDescriptor... files) {
        return new ProcessFacts(
                isSame,
                'S',
                ProcessFacts.Leader.ITSELF,
                0,
                namespaces,
                false,
                1L << 30,
                0,
                0,
                List.of(),
                false,
                List.of(files),
                List.of(),
                List.of());
    }

    private List<String> refusals(ProcessFacts process, MachineFacts machine) {
        return RestartChecks.of(self, process, machine, CopyState.RESTARTED).stream()
                .filter(check -> check.outcome() == Outcome.REFUSE)
                .map(CloneCheck::name)
                .toList();
    }

    @Test
    void serviceOfThisMachine_canBeStartedAgain_andItsStartIsMissed() {
        assertThat(refusals(facts(true, List.of()), MACHINE)).isEmpty();
        assertThat(RestartChecks.of(self, facts(true, List.of()), MACHINE, CopyState.RESTARTED))
                .anyMatch(check ->
                        check.name().equals("start-up") && check.finding().contains("is a miss"));
        assertThat(RestartChecks.of(self, facts(true, List.of()), MACHINE, CopyState.COLD))
                .noneMatch(check -> check.name().equals("start-up"));
    }

    @Test
    void whatACopyCantBeStartedFrom_isRefused() {
        assertThat(refusals(facts(false, List.of()), MACHINE)).containsExactly("process");
        assertThat(refusals(facts(true, List.of("mnt")), MACHINE)).containsExactly("container");
        OpenDescriptor jar = new OpenDescriptor("/srv/shop.jar (deleted)", Path.of("/"), 0, 0, 10, "1:2");
        assertThat(refusals(facts(true, List.of(), jar), MACHINE)).containsExactly("program");
        MachineFacts poor = new MachineFacts(
                1000, 0, false, 1 << 20, 0, "ext4", false, new CopyGroup(Optional.empty()), List.of("nsenter"));
        assertThat(refusals(facts(true, List.of()), poor)).containsExactly("user", "programs", "overlay", "memory");
    }
}
