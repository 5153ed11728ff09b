package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.label.Place;
import org.jspecify.annotations.Nullable;

/**
 * Which of the bytes that one connection of the debug JVM is told are whose request: where an agent that sees sockets
 * only finds exchanges. Confined to its lane loop.
 */
final class ToldBytes {
    private long told;
    private @Nullable Exchange last;

    /** So many bytes of nobody's request are told before all others. */
    void before(long bytes) {
        told += bytes;
    }

    /** What comes next are the first bytes of this exchange's request. */
    void begins(Exchange exchange, int port) {
        exchange.place = new Place(port, told, told);
        last = exchange;
    }

    /** So many bytes are told, of the exchange with this number if there is one. */
    void told(long exchange, int bytes) {
        told += bytes;
        if (last != null && last.id == exchange) {
            last.place = last.place.to(told);
        }
    }
}
