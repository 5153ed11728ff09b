package dev.understudy.agent.stack;

import java.util.Set;
import java.util.function.Consumer;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * Keeps a recording from having events beside those that it is for: an application's own, and the agent's, are in any
 * recording that doesn't say that it wants them not. Confined to one thread at a time.
 */
final class OnlyEvents {
    private final Set<String> events;
    private final Consumer<String> disable;
    private int known;

    /**
     * One that has kept none away yet.
     *
     * @param disable keeps one away from the recording
     */
    OnlyEvents(Set<String> events, Consumer<String> disable) {
        this.events = events;
        this.disable = disable;
    }

    /** Looks whether there are new events. */
    void look() {
        if (FlightRecorder.getFlightRecorder().getEventTypes().size() == known) {
            return;
        }
        known = 0;
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            known++;
            if (!events.contains(type.getName())) {
                disable.accept(type.getName());
            }
        }
    }
}
