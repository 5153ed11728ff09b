package dev.understudy.standin.command;

import dev.understudy.sidecar.command.control.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy standin}: services that behave like ones that can't be had. */
@Command(
        name = "standin",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        subcommands = {StandInLearnCommand.class, StandInRunCommand.class, StandInShowCommand.class},
        description = {
            "Learns a model of a service from a recording, and plays the service by it.",
            "",
            "A model has no data of the recording: types, ranges and lengths, times and shares.",
            ""
        })
public final class StandInCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing: one of learn, run, show");
    }
}
