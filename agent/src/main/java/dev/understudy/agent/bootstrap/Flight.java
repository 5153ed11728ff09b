package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.measure.Reading;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who notes exchanges, sampled calls and what points tell for a flight recording of the JVM; nobody in a JVM that has
 * no flight recorder.
 *
 * <p>What {@code begin…} returns is null while nothing is recorded, and then nothing else is called. All of it is
 * called by the application's threads, and what it throws is a fault that costs no more than the event.
 */
public abstract class Flight {
    private static volatile @Nullable Flight recorder;

    /** One that notes nothing yet. */
    protected Flight() {}

    /** From now on {@code flight} is told. */
    public static void tell(Flight flight) {
        recorder = flight;
    }

    static @Nullable Object exchangeBegins() {
        Flight told = recorder;
        try {
            return told == null ? null : told.beginExchange();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    static void exchangeEnds(@Nullable Object begun, ServedExchange exchange) {
        Flight told = recorder;
        try {
            if (begun != null && told != null) {
                told.endExchange(begun, exchange);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    static @Nullable Object callBegins() {
        Flight told = recorder;
        try {
            return told == null ? null : told.beginCall();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    static void callEnds(@Nullable Object begun, int probe, @Nullable Reading reading) {
        Flight told = recorder;
        try {
            if (begun != null && told != null) {
                told.endCall(begun, probe, ServedExchanges.current(), reading);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    /**
     * A point has told something on this thread.
     *
     * @param place where in the code
     * @param text what its message says; null of a snapshot
     * @param values what a snapshot shows, by name
     * @param trace the 32 digits of the exchange's trace, or ""
     */
    public static void pointTells(
            String point, String place, @Nullable String text, Map<String, String> values, String trace) {
        Flight told = recorder;
        if (told != null) {
            told.point(point, place, text, values, trace);
        }
    }

    /** An exchange begins on this thread. */
    protected abstract @Nullable Object beginExchange();

    /** It ends on this thread. */
    protected abstract void endExchange(Object begun, ServedExchange exchange);

    /** A sampled call begins. */
    protected abstract @Nullable Object beginCall();

    /** It ends, within that exchange if there is one, and was measured with that if it was. */
    protected abstract void endCall(
            Object begun, int probe, @Nullable ServedExchange exchange, @Nullable Reading reading);

    /** A point has told something on this thread. */
    protected abstract void point(
            String point, String place, @Nullable String text, Map<String, String> values, String trace);
}
