package dev.understudy.relay.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import java.io.IOException;

/** What callers send to a control port; its tree is read at once and not kept. For all threads. */
public final class JsonBody {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final ObjectMapper NUMBERS = ForeignJson.mapper(ForeignJson.MANY_TOKENS);

    private JsonBody() {}

    /**
     * The object that the body is, of at most {@link ForeignJson#TOKENS}.
     *
     * @throws IllegalArgumentException saying where and what is wrong, if it is anything else
     */
    public static JsonNode object(byte[] body) {
        return object(JSON, body);
    }

    /**
     * The same of a body that is mostly numbers, of at most {@link ForeignJson#MANY_TOKENS}.
     *
     * @throws IllegalArgumentException saying where and what is wrong, if it is anything else
     */
    public static JsonNode objectOfNumbers(byte[] body) {
        return object(NUMBERS, body);
    }

    private static JsonNode object(ObjectMapper mapper, byte[] body) {
        try {
            JsonNode root = mapper.readTree(body);
            if (root != null && root.isObject()) {
                return root;
            }
            throw new IllegalArgumentException("body: (expected: a JSON object)");
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(
                    "body: " + malformed.getOriginalMessage() + " (expected: JSON)", malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("body: unreadable (expected: JSON)", unreadable);
        }
    }
}
