package dev.understudy.mcp.patch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for comparisons since a patch, and judges by them. Stateless. */
final class PatchVerdict {
    private static final long PAUSE_MILLIS = 250;

    private PatchVerdict() {}

    static ToolAnswer run(ToolArguments arguments, ControlPorts ports) throws IOException, InterruptedException {
        long wanted = arguments.number("exchanges");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("seconds"));
        CountDownLatch never = new CountDownLatch(1);
        JsonNode document = ports.sidecar().get("/v1/resync");
        while (last(document).path("compared").asLong() < wanted && System.nanoTime() - deadline < 0) {
            never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            document = ports.sidecar().get("/v1/resync");
        }
        return judge(document, wanted);
    }

    private static ToolAnswer judge(JsonNode document, long wanted) {
        JsonNode after = last(document);
        JsonNode before = previous(document);
        long compared = after.path("compared").asLong();
        long different = after.path("different").asLong();
        boolean patched = !after.path("patch").asText().isEmpty();
        ToolAnswer answer = new ToolAnswer()
                .with("debug", document.path("debug").asText())
                .with("patched", patched)
                .with("compared", compared)
                .with("different", different)
                .with("comparedBefore", before.path("compared").asLong())
                .with("differentBefore", before.path("different").asLong());
        PatchTools.addEpochs(answer, document.path("epochs"));
        if (compared == 0 || compared < wanted) {
            return answer.with("verdict", "not yet: " + compared + " of " + wanted + " comparisons")
                    .next("patch_verdict again while traffic goes on, or status: is the debug JVM reached?");
        }
        return different == 0
                ? answer.with("verdict", "agrees: all " + compared + " replies are production's")
                        .next("report for the whole session")
                : answer.with("verdict", "differs: " + different + " of " + compared + " replies")
                        .next("exchanges with kind DIFFERENT shows what differs now");
    }

    private static JsonNode last(JsonNode document) {
        JsonNode epochs = document.path("epochs");
        return epochs.path(epochs.size() - 1);
    }

    private static JsonNode previous(JsonNode document) {
        JsonNode epochs = document.path("epochs");
        return epochs.path(epochs.size() - 2);
    }
}
