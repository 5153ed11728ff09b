package dev.understudy.sidecar.lane;

import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.deliver.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that still waited when the debug JVM closed their connection, and what follows them. It hasn't got a byte of
 * them, so where requests stand alone they may go over another connection. Owns its bytes until they are offered.
 *
 * @param exchanges by number, in the order in which they wait
 */
record Remainder(List<DebugEvent> events, Map<Long, Exchange> exchanges) {
    static final Remainder NONE = new Remainder(List.of(), Map.of());

    /** Takes it out of the window; what the debug JVM got a part of stays there. */
    static Remainder of(Window window, Collection<Exchange> undelivered) {
        Map<Long, Exchange> untouched = new LinkedHashMap<>();
        for (Exchange exchange : undelivered) {
            if (!exchange.handed) {
                untouched.put(exchange.id, exchange);
            }
        }
        if (untouched.isEmpty()) {
            return NONE;
        }
        List<DebugEvent> torn = new ArrayList<>();
        List<DebugEvent> events = new ArrayList<>();
        Map<Long, Exchange> waiting = new LinkedHashMap<>();
        for (DebugEvent next = window.poll(); next != null; next = window.poll()) {
            Exchange whole = next instanceof DebugEvent.Bytes bytes ? untouched.get(bytes.exchange()) : null;
            if (whole != null) {
                waiting.put(whole.id, whole);
            }
            (events.isEmpty() && whole == null ? torn : events).add(next);
        }
        torn.forEach(window::offer);
        // an exchange of which the window has nothing, as one that was closed has, can't go on
        return new Remainder(events, waiting);
    }

    boolean isEmpty() {
        return exchanges.isEmpty();
    }

    /** Goes on over another connection. */
    void offerTo(Delivery another) {
        for (Exchange exchange : exchanges.values()) {
            exchange.offered = false;
            exchange.cuesWaiting = 0;
        }
        for (DebugEvent event : events) {
            if (event instanceof DebugEvent.Bytes bytes) {
                another.offer(bytes.data(), bytes.nanos(), exchanges.get(bytes.exchange()));
            } else {
                another.offer(event, false);
            }
        }
    }

    /** Nothing goes on: all of it is lost with the window, which is closed. */
    void lose(Window window, LaneLosses losses) {
        events.forEach(window::offer);
        exchanges.values().forEach(losses::lose);
    }
}
