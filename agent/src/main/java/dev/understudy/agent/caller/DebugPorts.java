package dev.understudy.agent.caller;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The ports at which the aggregator answers the debug JVM, from its reply. */
final class DebugPorts {
    private static final int LAST_PORT = 65_535;
    private static final JsonFactory JSON = new JsonFactory();

    private DebugPorts() {}

    /**
     * Reads a reply.
     *
     * @throws IOException if it isn't one
     */
    static Set<Integer> read(byte[] reply) throws IOException {
        Set<Integer> ports = null;
        try (JsonParser in = JSON.createParser(reply)) {
            expect(in.nextToken() == JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = in.currentName().equals("ports");
                in.nextToken();
                if (wanted) {
                    ports = list(in);
                } else {
                    in.skipChildren();
                }
            }
            expect(in.currentToken() == JsonToken.END_OBJECT);
        }
        if (ports == null) {
            throw new IOException("no list of ports");
        }
        return ports;
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
