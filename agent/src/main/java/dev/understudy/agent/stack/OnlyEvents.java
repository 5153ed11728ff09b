package dev.understudy.agent.stack;

import java.lang.reflect.Method;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * Keeps a recording from having events beside those that it is for: an application's own, and the agent's, are in any recording that doesn't
 * say that it wants them not. Confined to one thread at a time.
 */
final class OnlyEvents {
    private final Set<String> events;
    private final Method disable;
    private final Object recording;
    private int known;

    /**
     * One that has kept none away yet.
     *
     * @param disable the recording's method of that name
     */
    OnlyEvents(Set<String> events, Method disable, Object recording) {
        this.events = events;
        this.disable = disable;
        this.recording = recording;
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
                try {
                    disable.invoke(recording, type.getName());
                } catch (ReflectiveOperationException problem) {
                    throw new IllegalStateException(problem);
                }
            }
        }
    }
}
