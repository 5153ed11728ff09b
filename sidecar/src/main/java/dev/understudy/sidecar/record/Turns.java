package dev.understudy.sidecar.record;

import dev.understudy.relay.stream.Event;

/**
 * Where a connection's turns begin: a turn is what the client says until it is answered, and stands for an exchange
 * where bytes aren't HTTP. Confined to its caller.
 */
public final class Turns {
    private boolean asked;

    /** Whether a turn begins with this one, the next of the connection's events. */
    public boolean begins(Event event) {
        boolean begins = event == Event.REQUEST && !asked;
        asked = event == Event.REQUEST || (asked && event != Event.REPLY);
        return begins;
    }
}
