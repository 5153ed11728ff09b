package dev.understudy.relay.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** The lines of an event stream, as the WHATWG's HTML standard has them (section 9.2, server-sent events). */
final class ServerSentEvent {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ServerSentEvent() {}

    /** One that a caller who comes again can name as the last it got. */
    static ByteBuf of(String name, String id, Object said) {
        return lines("event: " + name + "\nid: " + id + "\ndata: " + json(said) + "\n\n");
    }

    /** One that can't be asked for again. */
    static ByteBuf of(String name, Object said) {
        return lines("event: " + name + "\ndata: " + json(said) + "\n\n");
    }

    /** One without a name, on a stream that has but one kind. */
    static ByteBuf of(Object said) {
        return lines("data: " + json(said) + "\n\n");
    }

    /** A line that callers pass over; it shows both ends that the other one is still there. */
    static ByteBuf heartbeat() {
        return lines(":\n\n");
    }

    private static ByteBuf lines(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String json(Object said) {
        try {
            return JSON.writeValueAsString(said);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalStateException("not writable as JSON: " + said.getClass(), unwritable);
        }
    }
}
