package dev.understudy.agent.caller;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The ports of a reply of the aggregator's. Immutable. */
final class DebugPorts {
    private static final int LAST_PORT = 65_535;
    private static final JsonFactory JSON = new JsonFactory();

    /** Those that the debug JVM dials, wherever that leads, and of which notes are wanted. */
    final Set<Integer> noted;

    /** Those at which the aggregator answers it; none by an aggregator that doesn't say. */
    final Set<Integer> answered;

    private DebugPorts(Set<Integer> noted, Set<Integer> answered) {
        this.noted = Set.copyOf(noted);
        this.answered = Set.copyOf(answered);
    }

    /**
     * Reads a reply.
     *
     * @throws IOException if it isn't one
     */
    static DebugPorts read(byte[] reply) throws IOException {
        Set<Integer> noted = null;
        Set<Integer> answered = Set.of();
        try (JsonParser in = JSON.createParser(reply)) {
            expect(in.nextToken() == JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                in.nextToken();
                if (name.equals("ports")) {
                    noted = list(in);
                } else if (name.equals("debugPorts")) {
                    answered = list(in);
                } else {
                    in.skipChildren();
                }
            }
            expect(in.currentToken() == JsonToken.END_OBJECT);
        }
        if (noted == null) {
            throw new IOException("no list of ports");
        }
        return new DebugPorts(noted, answered);
    }

    private static Set<Integer> list(JsonParser in) throws IOException {
        Set<Integer> ports = new HashSet<>();
        expect(in.currentToken() == JsonToken.START_ARRAY);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            expect(in.currentToken() == JsonToken.VALUE_NUMBER_INT);
            int port = in.getIntValue();
            expect(port > 0 && port <= LAST_PORT);
            ports.add(port);
        }
        return ports;
    }

    private static void expect(boolean right) throws IOException {
        if (!right) {
            throw new IOException("not a list of ports");
        }
    }
}
