package dev.understudy.sidecar.command.control;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a running sidecar and prints what it says. */
public abstract class AskingCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        int code = ask(control.client(spec), spec, out);
        out.flush();
        return code;
    }

    /**
     * Asks, and prints.
     *
     * @param spec this command as it was given
     * @return the exit code
     */
    protected abstract int ask(ControlClient client, CommandSpec spec, PrintWriter out)
            throws IOException, InterruptedException;
}
