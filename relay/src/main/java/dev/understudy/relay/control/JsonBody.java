package dev.understudy.relay.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** What callers send to a control port. For all threads. */
public final class JsonBody {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonBody() {}

    /**
     * The object that the body is.
     *
     * @throws IllegalArgumentException saying where and what is wrong, if it is anything else
     */
    public static JsonNode object(byte[] body) {
        try {
            JsonNode root = JSON.readTree(body);
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
