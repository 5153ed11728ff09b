package dev.understudy.mcp.carrier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.understudy.mcp.tool.AnswerLimits;
import dev.understudy.relay.json.ForeignJson;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Between a carrier and the SDK: the bytes of one message in, those of its answer out.
 *
 * <p>It keeps nothing between messages, so a client may come again at any time. No message makes it throw. For any
 * number of threads once the server is built.
 */
public final class MessageDispatcher implements McpStatelessServerTransport {
    /** Bytes of a message. */
    public static final int LONGEST = 1 << 20;

    private static final List<String> VERSIONS = List.of(
            ProtocolVersions.MCP_2024_11_05,
            ProtocolVersions.MCP_2025_03_26,
            ProtocolVersions.MCP_2025_06_18,
            ProtocolVersions.MCP_2025_11_25);
    private static final int LONGEST_ERROR = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(MessageDispatcher.class);

    private final ObjectMapper json = ForeignJson.mapper();
    private final McpJsonMapper mapper = new JacksonMcpJsonMapper(json);
    private volatile @Nullable McpStatelessServerHandler handler;

    /** How the SDK is to read and write: within the bounds that all foreign JSON has here. */
    public McpJsonMapper mapper() {
        return mapper;
    }

    @Override
    public List<String> protocolVersions() {
        return VERSIONS;
    }

    @Override
    public void setMcpHandler(McpStatelessServerHandler handler) {
        this.handler = handler;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    /** The answer to a message, UTF-8 without line ends; null if it wants none. Waits for the tool that it calls. */
    public byte @Nullable [] answer(byte[] message) {
        JSONRPCMessage read;
        try {
            JsonNode tree = json.readTree(message);
            if (!tree.isObject()) {
                return error(null, McpSchema.ErrorCodes.INVALID_REQUEST, "not a message (expected: one JSON object)");
            }
            read = McpSchema.deserializeJsonRpcMessage(mapper, new String(message, StandardCharsets.UTF_8));
        } catch (JsonProcessingException malformed) {
            String why = malformed.getOriginalMessage();
            return error(null, McpSchema.ErrorCodes.PARSE_ERROR, "not JSON, or more than is read: " + why);
        } catch (IOException | RuntimeException other) {
            return error(null, McpSchema.ErrorCodes.INVALID_REQUEST, "not a message of JSON-RPC 2.0");
        }
        if (read instanceof JSONRPCRequest request) {
            return answer(request);
        }
        if (read instanceof JSONRPCNotification notification) {
            accept(notification);
        }
        return null;
    }

    /** What stands for a message that was longer than {@link #LONGEST}. */
    public byte[] tooLong() {
        return error(
                null, McpSchema.ErrorCodes.INVALID_REQUEST, "a message of more than " + LONGEST + " bytes was skipped");
    }

    /** What stands for a message that came while too many others were being answered. */
    public byte[] busy() {
        return error(null, McpSchema.ErrorCodes.INTERNAL_ERROR, "too many messages at a time; send it again");
    }

    private byte[] answer(JSONRPCRequest request) {
        McpStatelessServerHandler ready = handler;
        if (ready == null) {
            return error(request.id(), McpSchema.ErrorCodes.INTERNAL_ERROR, "the server isn't ready yet");
        }
        try {
            JsonNode answer = json.valueToTree(
                    ready.handleRequest(McpTransportContext.EMPTY, request).block());
            if (answer instanceof ObjectNode object) {
                return written(object);
            }
        } catch (RuntimeException defect) {
            // the SDK expects params that fit the method
            LOG.debug("a message wasn't answered", defect);
        }
        return error(request.id(), McpSchema.ErrorCodes.INVALID_PARAMS, "params: (expected: those of this method)");
    }

    private void accept(JSONRPCNotification notification) {
        McpStatelessServerHandler ready = handler;
        try {
            if (ready != null) {
                ready.handleNotification(McpTransportContext.EMPTY, notification)
                        .block();
            }
        } catch (RuntimeException unknown) {
            LOG.debug("a notification wasn't taken", unknown);
        }
    }

    /** What the SDK says of an error repeats what the client sent. */
    private byte[] written(ObjectNode answer) {
        JsonNode id = answer.path("id");
        ObjectNode shown = (ObjectNode) printable(answer);
        shown.set("id", id);
        if (shown.path("error") instanceof ObjectNode error) {
            String message = error.path("message").asText();
            error.put("message", message.substring(0, Math.min(message.length(), LONGEST_ERROR)));
            if (error.path("data").toString().length() > LONGEST_ERROR) {
                error.remove("data");
            }
        }
        return bytes(shown);
    }

    private static JsonNode printable(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode shown = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(each -> shown.set(each.getKey(), printable(each.getValue())));
            return shown;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode shown = JsonNodeFactory.instance.arrayNode();
            array.forEach(each -> shown.add(printable(each)));
            return shown;
        }
        return node.isTextual() ? TextNode.valueOf(AnswerLimits.printable(node.asText())) : node;
    }

    private byte[] error(@Nullable Object id, int code, String message) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("jsonrpc", "2.0");
        answer.set("id", json.valueToTree(id));
        answer.putObject("error").put("code", code).put("message", AnswerLimits.printable(message));
        return bytes(answer);
    }

    private byte[] bytes(ObjectNode answer) {
        try {
            return json.writeValueAsBytes(answer);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
