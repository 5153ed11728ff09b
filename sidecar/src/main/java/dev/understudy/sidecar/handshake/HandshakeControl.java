package dev.understudy.sidecar.handshake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.util.List;
import java.util.Map;

/** {@code POST /v1/handshake}: an agent asks whether its JVM is a debug one. */
public final class HandshakeControl {
    private static final int LONGEST = 500;

    private final AgentKey key;
    private final DebugDials calls;

    public HandshakeControl(AgentKey key, DebugDials calls) {
        this.key = key;
        this.calls = calls;
        if (key.isSet()) {
            calls.lookUp();
        }
    }

    /**
     * Answers who has the key, for the one nonce that it was asked with.
     *
     * @throws IllegalArgumentException if the question can't be read
     */
    public Reply post(Call call) {
        JsonNode asked = JsonBody.object(call.body());
        String nonce = text(asked, "nonce");
        String agent = text(asked, "agent");
        String signature = text(asked, "signature");
        if (!key.isSet()) {
            return Reply.problem(
                    409, "No key", "agents.key-file names none, so that no JVM can be shown to be a debug one");
        }
        if (!key.signed("understudy agent\n" + nonce + "\n" + agent, signature)) {
            return Reply.problem(403, "Forbidden", "signature: not one with this sidecar's key");
        }
        List<String> connections = calls.connect();
        String said = "understudy debug\n" + nonce + "\n" + agent + "\n" + String.join(",", connections);
        return Reply.json(Map.of("connections", connections, "signature", key.sign(said)));
    }

    private static String text(JsonNode asked, String field) {
        String text = asked.path(field).asText();
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    field + ": " + text.length() + " characters (expected: 1 to " + LONGEST + ")");
        }
        return text;
    }
}
