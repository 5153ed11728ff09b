package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy patch}: other code for a running debug JVM, and back. */
@Command(
        name = "patch",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {PatchCommand.Applying.class, PatchCommand.Status.class, PatchCommand.TakingBack.class},
        description = {
            "Has the debug JVM run other class files than its own, without a restart, and "
                    + "judges them by production's replies: each",
            "change begins another epoch. All classes of a patch are taken, or none.",
            "",
            "What methods do can be changed; fields, methods and parents of a class that is "
                    + "loaded can't be added or taken away.",
            "Production is never touched: its JVM has no agent, and an agent in it does nothing.",
            ""
        })
public final class PatchCommand {

    /** {@code understudy patch apply}. */
    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = {"Applies the class files of a folder or a jar, in the place of an earlier patch.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:the debug JVM runs with it",
                "1:an agent couldn't do it or hasn't done it yet, or none is there",
                "2:there are no class files, or the sidecar didn't take them"
            })
    static final class Applying extends OrderCommand {
        @Parameters(
                index = "0",
                paramLabel = "CLASSES",
                description = "A folder with class files, such as target/classes, or a jar.")
        private Path classes = Path.of("");

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            JsonNode answer =
                    client.put("/v1/orders/patch", "application/java-archive", PatchClassFiles.packed(classes));
            out.println(line(client.get("/v1/orders/patch")));
            return answer;
        }
    }

    /** {@code understudy patch status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Says which patch is wanted, how far agents are, and what was compared with it and without.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:an agent couldn't do it, or none is there", "2:the sidecar couldn't be asked"})
    static final class Status implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            ControlClient client = control.client(spec);
            PrintWriter out = spec.commandLine().getOut();
            JsonNode epochs = client.get("/v1/resync");
            out.println(line(client.get("/v1/orders/patch")));
            epochs.path("epochs")
                    .forEach(epoch -> out.println(
                            "epoch " + EpochLine.of(epochs.path("debug").asText(), epoch)));
            JsonNode orders = client.get("/v1/orders");
            return Following.print(orders, orders.path("revision").asLong(), out);
        }
    }

    /** {@code understudy patch take-back}. */
    @Command(
            name = "take-back",
            mixinStandardHelpOptions = true,
            description = {"Has the debug JVM run with its own classes again.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it does",
                "1:an agent couldn't do it or hasn't done it yet, or none is there",
                "2:there is no patch, or the sidecar couldn't be asked"
            })
    static final class TakingBack extends OrderCommand {
        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return client.delete("/v1/orders/patch");
        }
    }

    private static String line(JsonNode patch) {
        int classes = patch.path("classes").size();
        return classes == 0
                ? "no patch is wanted"
                : "patch " + patch.path("id").asText() + ": " + classes + (classes == 1 ? " class (" : " classes (")
                        + patch.path("classes").path(0).asText() + (classes == 1 ? ")" : ", …)");
    }
}
