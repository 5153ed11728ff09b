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
            "Replaces class files in the running debug JVM, without a restart, and compares its "
                    + "replies before and after. Each change begins a new epoch. A patch is applied whole or "
                    + "not at all.",
            "",
            "Method bodies can change. Fields, methods and parents of loaded classes can't be added "
                    + "or removed. Production has no agent and is never patched.",
            ""
        })
public final class PatchCommand {

    /** {@code understudy patch apply}. */
    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = {"Applies the class files of a folder or jar, and replaces an earlier patch.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:the debug JVM runs with it",
                "1:an agent couldn't do it or hasn't done it yet, or none is there",
                "2:there are no class files, or the sidecar refused them"
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
            description = {"Shows the patch, how far the agents are, and the verdicts with and without it.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:an agent couldn't do it, or none is there", "2:the sidecar can't be reached"})
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
            description = {"Removes the patch: the debug JVM runs its own classes again.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it does",
                "1:an agent couldn't do it or hasn't done it yet, or none is there",
                "2:there is no patch, or the sidecar can't be reached"
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
