package dev.understudy.standin.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.understudy.divergence.content.Folding;
import java.io.IOException;

/**
 * Walks over JSON as it is read. What isn't of the expected type is skipped, as is all that nobody asks for; no tree
 * of it is made.
 */
final class JsonFields {
    /** Longer texts are cut. */
    private static final int LONGEST = 2_000;

    private JsonFields() {}

    /** Takes the value of a field, or leaves it to be skipped. The parser is at the value's first token. */
    interface Field {
        void read(String name) throws IOException;
    }

    /** Takes a value of an array, or leaves it to be skipped. The parser is at the value's first token. */
    interface Element {
        void read() throws IOException;
    }

    /** Offers each field of the object that begins here. */
    static void fields(JsonParser parser, Field field) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            field.read(name);
            parser.skipChildren();
        }
    }

    /** Offers each value of the array that begins here. */
    static void elements(JsonParser parser, Element element) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return;
        }
        for (JsonToken next = parser.nextToken(); next != null && next != JsonToken.END_ARRAY; ) {
            element.read();
            parser.skipChildren();
            next = parser.nextToken();
        }
    }

    /** The text, number or truth value that is here; "" if it is something else. */
    static String text(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        boolean known = token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL;
        return known ? Folding.shortened(parser.getText(), LONGEST) : "";
    }

    /** The count of nanoseconds, microseconds or so that is here, as a number or a text; -1 if it is none. */
    static long time(JsonParser parser) throws IOException {
        String text = text(parser);
        if (text.isEmpty() || text.length() > 19 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException tooLarge) {
            return -1;
        }
    }
}
