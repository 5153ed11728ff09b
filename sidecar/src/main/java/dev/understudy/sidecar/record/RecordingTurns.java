package dev.understudy.sidecar.record;

import dev.understudy.relay.stream.StreamEvent;

/**
 * Where a connection's turns begin: a turn is what the client says until it is answered, and stands for an exchange
 * where bytes aren't HTTP. Confined to its caller.
 */
public final class RecordingTurns {
    private boolean asked;

    /** Whether a turn begins with this one, the next of the connection's events. */
    public boolean begins(StreamEvent event) {
        boolean begins = event == StreamEvent.REQUEST && !asked;
        asked = event == StreamEvent.REQUEST || (asked && event != StreamEvent.REPLY);
        return begins;
    }
}
