package dev.understudy.aggregator.live;

import dev.understudy.aggregator.exchange.RecordedReply;
import java.nio.ByteBuffer;

/**
 * One request for a running server: what that is sent, and how its reply is read. The real server is sent only what is
 * known to only read, a stand-in anything. Confined to the event loop of the debug connection.
 */
public interface LiveRead<R extends RecordedReply> {
    /** How far the reply is. */
    enum Progress {
        INCOMPLETE,
        COMPLETE,
        /** It can't be read, or isn't one to this request. */
        BROKEN
    }

    /** All bytes for the server, on a connection of its own. */
    byte[] request();

    /** Takes all bytes of the buffer, which the server sent. */
    Progress feed(ByteBuffer bytes);

    /** The server has ended its direction. */
    Progress end();

    /** The reply, once it is complete. */
    R reply();

    /** Why it is broken, in a few words. */
    String problem();
}
