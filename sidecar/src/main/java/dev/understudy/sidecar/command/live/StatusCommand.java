package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy status}: one screen about a running sidecar, once. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Shows the state of a running sidecar: listeners, connections, tee, window, verdicts, "
                + "losses, fidelity.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing was lost, and every debug JVM can be reached",
            "1:something was lost, or a debug JVM can't be reached",
            "2:the sidecar can't be reached"
        })
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Prints what /v1/status answers, as JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode status = control.client(spec).get("/v1/status");
        if (json) {
            out.println(status.toPrettyString());
        } else {
            StatusScreen.lines(status).forEach(out::println);
        }
        out.flush();
        return StatusScreen.wantsAttention(status) ? Exit.ATTENTION : Exit.FINE;
    }
}
