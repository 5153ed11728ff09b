package dev.understudy.agent.handshake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the sidecar answered: from where it has connected to its debug JVMs just now. Immutable. */
final class HandshakeAnswer {
    /** The largest one that is read, in bytes. */
    static final int LARGEST = 16 * 1024;

    private static final int MOST_CONNECTIONS = 64;
    private static final String FOR_DEBUG = "understudy debug\n";
    private static final JsonFactory JSON = new JsonFactory();

    private final List<String> connections;

    private HandshakeAnswer(List<String> connections) {
        this.connections = List.copyOf(connections);
    }

    /** What the agent signs, so that the sidecar connects for nobody who has no key. */
    static String asked(String nonce, String agent) {
        return "understudy agent\n" + nonce + "\n" + agent;
    }

    /**
     * Reads an answer to {@code nonce}; one to an earlier question isn't taken, nor one to another agent.
     *
     * @throws IOException if it is none, or isn't signed with the key
     */
    static HandshakeAnswer read(byte[] json, SharedKey key, String nonce, String agent) throws IOException {
        List<String> connections = new ArrayList<>();
        String signature = "";
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no object");
            }
            for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
                JsonToken value = in.nextToken();
                if (field.equals("signature") && value == JsonToken.VALUE_STRING) {
                    signature = in.getText();
                } else if (field.equals("connections") && value == JsonToken.START_ARRAY) {
                    connections.addAll(texts(in));
                } else {
                    in.skipChildren();
                }
            }
        } catch (RuntimeException malformed) {
            throw new IOException("no answer", malformed);
        }
        if (!key.signed(FOR_DEBUG + nonce + "\n" + agent + "\n" + String.join(",", connections), signature)) {
            throw new IOException("its signature isn't one with this key");
        }
        return new HandshakeAnswer(connections);
    }

    /** The sidecar's end of each: the address in hexadecimal digits, a colon, the port. */
    List<String> connections() {
        return connections;
    }

    private static List<String> texts(JsonParser in) throws IOException {
        List<String> texts = new ArrayList<>();
        while (in.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(in.getText());
            if (texts.size() > MOST_CONNECTIONS) {
                throw new IOException("more than " + MOST_CONNECTIONS + " connections");
            }
        }
        return texts;
    }
}
