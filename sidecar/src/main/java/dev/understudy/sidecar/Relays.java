package dev.understudy.sidecar;

import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.verdict.TapGaps;
import java.io.IOException;

/** Has listeners' connections relayed and given to taps, in this process or another one. */
@FunctionalInterface
public interface Relays {
    /**
     * Begins with one listener.
     *
     * @throws IOException if its address can't be listened on; the message names it
     */
    RelayStatus open(ListenerConfig listener, TapFactory taps) throws IOException;

    /** What the copies of a listener lack without a lane having counted it. */
    default TapGaps gaps(ListenerConfig listener) {
        return TapGaps.NONE;
    }

    /** What an earlier lane process has kept of a listener; "" if there was none. */
    default String kept(ListenerConfig listener) {
        return "";
    }

    /** Keeps it for the lane process that follows this one; false if there is no room for that much. */
    default boolean keep(ListenerConfig listener, String text) {
        return true;
    }
}
