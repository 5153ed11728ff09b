package dev.understudy.kubernetes.command;

import dev.understudy.sidecar.command.control.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy kubernetes}: what runs services in a cluster. */
@Command(
        name = "kubernetes",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        subcommands = KubernetesInjectCommand.class,
        description = {"Puts an understudy into a service's manifests. Nothing is asked of a cluster.", ""})
public final class KubernetesCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing: inject");
    }
}
