package dev.understudy.relay.split;

import dev.understudy.relay.Listener;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapCarrier;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Map;

/**
 * A listener that a tap process is to open.
 *
 * @param name of its own among them
 * @param identity what makes it another one, by which a child knows whether it has read the same settings
 * @param isBehind whether it is reached through another one, which is opened before it
 * @param isWanted whether its bytes wait in the rings for the first child, which isn't there yet
 * @param opening opens it
 */
public record TapListener(String name, String identity, boolean isBehind, boolean isWanted, Opening opening) {
    /** Opens a listener. */
    @FunctionalInterface
    public interface Opening {
        /**
         * Opens it.
         *
         * @param carrier takes what its connections carry
         * @param before those that are open already, by name
         * @throws IOException if its address can't be listened on; the message names it
         */
        Listener open(TapCarrier carrier, Map<String, Listener> before, EventLoops loops, MeterRegistry registry)
                throws IOException;
    }
}
