package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that changes what is wanted of debug JVMs, and waits for them to follow. */
abstract class OrderCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Tells the sidecar, and returns what it answers: {@code /v1/orders} as it is then. */
    abstract JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ControlClient client = control.client(spec);
        PrintWriter out = spec.commandLine().getOut();
        return Following.await(client, order(client, out), out);
    }
}
