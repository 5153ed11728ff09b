package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.restart.CopyCommand;
import dev.understudy.session.clone.restart.ServiceCommand;
import dev.understudy.session.clone.sandbox.ContainerSandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Copies a container by starting it once more: same files, options, environment, rights and limits, in another network,
 * and with writes that stay in the copy. Production isn't touched. The copy's memory begins anew.
 */
public final class ContainerRestartDriver extends SecondStart<ContainerRestartDriver.RunContainer> {
    private final ContainerFacts facts;

    record RunContainer(RuntimeContainer container, ContainerSpec spec, TargetProcess target) {}

    public ContainerRestartDriver(ContainerFacts facts) {
        this.facts = facts;
    }

    @Override
    public String name() {
        return "container-restart";
    }

    @Override
    public CopyState state() {
        return CopyState.RESTARTED;
    }

    @Override
    public boolean canRenew() {
        return false;
    }

    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException {
        return new CloneForecast(
                RestartChecks.of(facts, target, ProcessFacts.read(target), MachineFacts.read(limits.images())),
                Duration.ZERO);
    }

    @Override
    RunContainer read(TargetProcess target) throws CloneException, InterruptedException {
        RuntimeContainer container = RuntimeContainer.find(facts);
        return new RunContainer(container, ContainerSpec.read(container.bundle()), target);
    }

    @Override
    List<String> scripts() {
        return List.of("container.sh");
    }

    @Override
    Properties notes(TargetProcess target, CloneLimits limits) {
        return ContainerSandbox.notes(target, limits);
    }

    @Override
    CopyStart start(
            RunContainer service,
            SnapshotFolder folder,
            Path log,
            CloneWorld world,
            CopyNames names,
            @Nullable CopyAgent agent,
            Ledger ledger)
            throws CloneException, InterruptedException {
        CopyCommand command = command(service.spec());
        if (agent != null) {
            try {
                Files.copy(agent.jar(), folder.path("agent.jar"));
            } catch (IOException failed) {
                throw new CloneException("the agent can't be copied: " + failed.getMessage(), failed);
            }
            command = command.with(JAR, agent.settings());
        }
        ContainerSandbox sandbox = ContainerSandbox.start(
                service.container(),
                service.spec(),
                folder,
                world,
                names,
                command.words(),
                command.environment(),
                List.of(),
                List.of("run"),
                service.target(),
                log,
                ledger);
        return new CopyStart(sandbox.copy(), sandbox::end);
    }

    /** Production's own, without what would wait for somebody or reach out. */
    public static CopyCommand command(ContainerSpec spec) throws CloneException {
        List<String> words = spec.words();
        if (words.isEmpty()) {
            throw new CloneException("the container has no command line (expected: one)");
        }
        // what runs it has user, groups, directory and limits by the specification
        return CopyCommand.of(new ServiceCommand(
                words.get(0), words, spec.environment(), "/", "0", "0", List.of(), "0022", "unlimited"));
    }
}
