package dev.understudy.sidecar.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.verdict.Outgoing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator answers. Its OpenAPI document says what is in it.
 *
 * @param outgoing how the upstream calls of exchanges that are over compare
 * @param wantsValues whether the values in production's replies would help it to choose
 */
record OutgoingNews(List<Outgoing> outgoing, boolean wantsValues) {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    OutgoingNews {
        outgoing = List.copyOf(outgoing);
    }

    /**
     * Reads an answer.
     *
     * @throws IOException if it is no such document
     */
    static OutgoingNews read(byte[] answer) throws IOException {
        List<Outgoing> read = new ArrayList<>();
        JsonNode document = JSON.readTree(answer);
        for (JsonNode one : document.path("outgoing")) {
            List<Outgoing.Call> differences = new ArrayList<>();
            for (JsonNode call : one.path("differences")) {
                differences.add(new Outgoing.Call(
                        call.path("kind").asText(),
                        call.path("upstream").asText(),
                        text(call, "production"),
                        text(call, "debug")));
            }
            read.add(new Outgoing(
                    one.path("inbound").asLong(),
                    kind(one.path("kind").asText()),
                    text(one, "reason"),
                    one.path("production").asInt(),
                    one.path("debug").asInt(),
                    differences,
                    one.path("guesses").asInt()));
        }
        return new OutgoingNews(read, document.path("values").asBoolean());
    }

    /** What a later aggregator may call otherwise wasn't compared, as far as this sidecar can tell. */
    private static VerdictKind kind(String name) {
        return name.equals(VerdictKind.SAME.name())
                ? VerdictKind.SAME
                : name.equals(VerdictKind.DIFFERENT.name()) ? VerdictKind.DIFFERENT : VerdictKind.NOT_COMPARED;
    }

    private static @Nullable String text(JsonNode node, String name) {
        return node.hasNonNull(name) ? node.path(name).asText() : null;
    }
}
