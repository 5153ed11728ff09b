package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.CloneChecks;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.OpenDescriptor;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.restart.CopyCommand;
import dev.understudy.session.clone.restart.ProgramFile;
import dev.understudy.session.clone.restart.ServiceCommand;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Judges whether a process's command can be started once more, beside it. */
final class RestartChecks extends CloneChecks {
    private RestartChecks() {}

    /** All checks, in the order in which they are shown. */
    static List<CloneCheck> of(TargetProcess target, ProcessFacts process, MachineFacts machine, CopyState state) {
        RestartChecks checks = new RestartChecks();
        if (!checks.isSame(process, "process " + target.pid() + " has ended; choose it again by its new pid")) {
            return checks.checks();
        }
        checks.machine(machine, process.resident());
        if (process.foreignNamespaces().isEmpty() && !process.hasOwnRoot()) {
            checks.command(target, process);
        } else {
            checks.refuse("container", "the process is in a container; name that instead: --container NAME");
        }
        if (state == CopyState.RESTARTED) {
            checks.warnOfStart();
        }
        return checks.checks();
    }

    /** The checks of a container. */
    static List<CloneCheck> of(ContainerFacts facts, TargetProcess target, ProcessFacts process, MachineFacts machine)
            throws InterruptedException {
        RestartChecks checks = new RestartChecks();
        if (!checks.isSame(process, "process " + target.pid() + " has ended; choose its container again")) {
            return checks.checks();
        }
        checks.machine(machine, process.resident());
        try {
            RuntimeContainer container = RuntimeContainer.find(facts);
            ContainerSpec spec = ContainerSpec.read(container.bundle());
            checks.pass("container", container.program() + " starts it once more, without its engine");
            List<String> leftOut = ContainerRestartDriver.command(spec).leftOut();
            if (!leftOut.isEmpty()) {
                checks.warn("options", "the copy is started without " + String.join(", ", leftOut));
            }
            if (spec.hasTerminal()) {
                checks.warn("terminal", "the copy has none");
            }
            spec.limits().forEach(limit -> checks.warn("volumes", limit));
        } catch (CloneException notCopied) {
            checks.refuse("container", String.valueOf(notCopied.getMessage()));
        }
        checks.warnOfStart();
        return checks.checks();
    }

    private void warnOfStart() {
        warn(
                "start-up",
                "production's own start wasn't recorded: what the copy asks upstreams at its start is a miss,"
                        + " unless production asks the same meanwhile");
    }

    /** The checks of a command that isn't started yet. */
    static List<CloneCheck> of(List<String> command, MachineFacts machine) {
        RestartChecks checks = new RestartChecks();
        checks.machine(machine, 0);
        String program = command.get(0);
        checks.check(
                "command",
                program.contains("/")
                        ? Files.isExecutable(Path.of(program))
                        : MachineFacts.inPath(program).isPresent(),
                program + " is there",
                program + ": no such program (expected: one on the PATH, or its path)");
        return checks.checks();
    }

    private void machine(MachineFacts machine, long resident) {
        check("user", machine.uid() == 0, "root", "user " + machine.uid() + " can't make mounts; run this as root");
        List<String> missing = Stream.concat(
                        machine.missing().stream().filter(name -> !name.equals("ss") && !name.equals("prlimit")),
                        Stream.of("xargs", "setsid", "env", "stdbuf")
                                .filter(name -> MachineFacts.inPath(name).isEmpty()))
                .toList();
        programs(missing, "util-linux, iproute2, findutils and coreutils");
        overlay(machine);
        long needed = resident * 3 / 2;
        check(
                "memory",
                machine.memory() > needed,
                (machine.memory() >> 20) + " MB available",
                (machine.memory() >> 20) + " MB available, " + (needed >> 20)
                        + " MB needed for a second process; end other programs first");
        copyLimits(machine);
    }

    private void command(TargetProcess target, ProcessFacts process) {
        try {
            ServiceCommand service = ServiceCommand.read(ProcFile.of(target.pid(), ""));
            pass("command", "its command line, environment and user can be read");
            List<String> leftOut = CopyCommand.of(service).leftOut();
            if (!leftOut.isEmpty()) {
                warn("options", "the copy is started without " + String.join(", ", leftOut));
            }
            if (service.words().stream().anyMatch(word -> word.startsWith("@"))) {
                warn("options", "options in argument files (@FILE) are used as they are, a debugger's included");
            }
            program(service, process);
        } catch (CloneException unreadable) {
            refuse("command", String.valueOf(unreadable.getMessage()));
        }
    }

    private void program(ServiceCommand service, ProcessFacts process) {
        List<String> deleted = process.files().stream()
                .map(OpenDescriptor::link)
                .filter(ProgramFile::isDeleted)
                .distinct()
                .limit(4)
                .toList();
        String missing = ProgramFile.missing(service);
        if (!deleted.isEmpty()) {
            refuse(
                    "program",
                    String.join(", ", deleted) + ": replaced or deleted since the service began, so that a copy would"
                            + " run other code; restart the service first");
        } else if (!missing.isEmpty()) {
            refuse("program", missing + " isn't there any more; put it back, or restart the service");
        } else {
            pass("program", "its archives are those that it began with");
        }
    }
}
