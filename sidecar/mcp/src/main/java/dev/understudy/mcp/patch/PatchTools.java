package dev.understudy.mcp.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.steer.OrderAnswer;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code apply_patch}, {@code take_back_patch} and {@code patch_verdict}. */
public final class PatchTools {
    private static final int SHOWN_EPOCHS = 8;
    private static final String ROLE = " Needs the role admin.";

    private PatchTools() {}

    /**
     * All of them.
     *
     * @param folder below which patches may come from; null to leave out what applies them
     */
    public static List<ToolDefinition> definitions(@Nullable Path folder) {
        List<ToolDefinition> all = new ArrayList<>();
        if (folder != null) {
            PatchFolder patches = new PatchFolder(folder);
            all.add(new ToolDefinition(
                    "apply_patch",
                    "Replaces classes in the running debug JVM by compiled ones; production isn't touched. Only bodies "
                            + "of methods may change. It replaces an earlier patch." + ROLE,
                    ToolEffect.PATCH,
                    List.of(ToolParameter.text(
                                    "classes", 1_000, "A folder with class files, such as target/classes, or a jar.")
                            .asRequired()),
                    (arguments, ports) -> apply(patches, arguments, ports)));
            all.add(new ToolDefinition(
                    "take_back_patch",
                    "Has the debug JVM run its own classes again." + ROLE,
                    ToolEffect.PATCH,
                    List.of(),
                    PatchTools::takeBack));
        }
        all.add(new ToolDefinition(
                "patch_verdict",
                "Waits until replies were compared since the last patch, and says how many differ before and after.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.number("exchanges", 0, 100_000, 20, "Waits for so many comparisons."),
                        ToolParameter.number("seconds", 0, 45, 20, "Waits so long at most.")),
                PatchVerdict::run));
        return List.copyOf(all);
    }

    private static ToolAnswer apply(PatchFolder patches, ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        byte[] jar = patches.packed(arguments.text("classes"));
        ControlClient client = ports.sidecar();
        JsonNode ordered = client.put("/v1/orders/patch", "application/java-archive", jar);
        return OrderAnswer.of(client, ordered)
                .with("patch", client.get("/v1/orders/patch"))
                .next("patch_verdict, while traffic goes on; take_back_patch undoes it");
    }

    private static ToolAnswer takeBack(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        ControlClient client = ports.sidecar();
        JsonNode ordered = client.delete("/v1/orders/patch");
        return OrderAnswer.of(client, ordered).next("patch_verdict, while traffic goes on");
    }

    /** The newest epochs. */
    static void addEpochs(ToolAnswer answer, JsonNode epochs) {
        ArrayNode shown = answer.list("epochs");
        for (int n = Math.max(0, epochs.size() - SHOWN_EPOCHS); n < epochs.size(); n++) {
            shown.add(ToolAnswer.chosen(
                    epochs.get(n), "epoch", "cause", "state", "problem", "patch", "compared", "different"));
        }
    }
}
