package dev.understudy.agent.orders;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the sidecar answers at {@code /v1/orders}: what should hold, kind by kind. Immutable. */
final class OrderSheet {
    /** The largest answer that is read, in bytes. */
    static final int LARGEST = 1 << 20;

    private static final int DEEPEST = 8;
    private static final JsonFactory JSON = new JsonFactory();

    private final long revision;
    private final Map<String, Map<String, Object>> kinds;

    private OrderSheet(long revision, Map<String, Map<String, Object>> kinds) {
        this.revision = revision;
        this.kinds = kinds;
    }

    /**
     * Reads it; members that aren't known are passed over.
     *
     * @throws IOException if it is something else
     */
    static OrderSheet parse(byte[] answer) throws IOException {
        long revision = -1;
        Map<String, Map<String, Object>> kinds = new LinkedHashMap<>();
        try (JsonParser in = JSON.createParser(answer)) {
            expect(in.nextToken() == JsonToken.START_OBJECT, "an object");
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (name.equals("revision") && value == JsonToken.VALUE_NUMBER_INT) {
                    revision = in.getLongValue();
                } else if (name.equals("orders") && value == JsonToken.START_OBJECT) {
                    kinds(in, kinds);
                } else {
                    in.skipChildren();
                }
            }
            expect(in.currentToken() == JsonToken.END_OBJECT && revision >= 0, "a revision and orders");
        }
        return new OrderSheet(revision, kinds);
    }

    /** How often the orders had changed when it was written. */
    long revision() {
        return revision;
    }

    /** What is wanted, by kind. */
    Map<String, Map<String, Object>> kinds() {
        return kinds;
    }

    private static void kinds(JsonParser in, Map<String, Map<String, Object>> kinds) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String kind = in.currentName();
            expect(in.nextToken() == JsonToken.START_OBJECT, kind + " as an object");
            kinds.put(kind, object(in, 1));
        }
    }

    private static Map<String, Object> object(JsonParser in, int depth) throws IOException {
        expect(depth < DEEPEST, "at most " + DEEPEST + " levels");
        Map<String, Object> members = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            if (in.nextToken() != JsonToken.VALUE_NULL) {
                members.put(name, value(in, depth));
            }
        }
        expect(in.currentToken() == JsonToken.END_OBJECT, "the object's end");
        return members;
    }

    private static List<Object> list(JsonParser in, int depth) throws IOException {
        expect(depth < DEEPEST, "at most " + DEEPEST + " levels");
        List<Object> values = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(in, depth));
        }
        return values;
    }

    private static Object value(JsonParser in, int depth) throws IOException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return object(in, depth + 1);
        }
        if (token == JsonToken.START_ARRAY) {
            return list(in, depth + 1);
        }
        if (token == JsonToken.VALUE_STRING) {
            return in.getText();
        }
        if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return in.getBooleanValue();
        }
        expect(token != null && token.isNumeric(), "a value");
        return in.getNumberValue();
    }

    private static void expect(boolean held, String expected) throws IOException {
        if (!held) {
            throw new IOException("orders: can't be read (expected: " + expected + ")");
        }
    }
}
