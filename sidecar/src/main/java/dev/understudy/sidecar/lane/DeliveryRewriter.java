package dev.understudy.sidecar.lane;

import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.RequestRewriter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The last changes to what one connection of the debug JVM is told, and the note of which exchange was told where.
 * Confined to its lane loop.
 */
final class DeliveryRewriter {
    private final Exchanges exchanges;
    private final RequestRewriter telling;
    private final Deque<Exchange> unhanded = new ArrayDeque<>();
    private final ToldBytes toldBytes = new ToldBytes();
    private boolean handedAny;

    /** @param framed whether the connection is cut into exchanges, which alone are ever changed */
    DeliveryRewriter(Dialect dialect, boolean framed, MemoryBudget memory, Exchanges exchanges) {
        this.telling = framed ? dialect.telling(memory) : (request, raw, traceparent) -> raw;
        this.exchanges = exchanges;
    }

    /** The first bytes of this exchange follow, after those of all before. */
    void expect(Exchange exchange) {
        unhanded.add(exchange);
    }

    /** So many bytes are told that belong to no cue. */
    void before(int bytes) {
        toldBytes.before(bytes);
    }

    /** What debug is told instead of the cue's bytes, which this call owns. */
    ByteBuf outgoing(DebugEvent.Bytes cue, int port) {
        Exchange exchange = unhanded.peek();
        ByteBuf told;
        if (exchange != null && exchange.id == cue.exchange()) {
            unhanded.remove();
            handedAny = true;
            exchanges.handed(exchange, System.nanoTime());
            String trace = exchange.trace == null ? null : exchange.trace.traceparent();
            told = telling.request(exchange.request, cue.data(), trace);
            toldBytes.begins(exchange, port);
        } else {
            told = telling.more(cue.data());
        }
        toldBytes.told(cue.exchange(), told.readableBytes());
        return told;
    }

    /** Whether debug was told any request. */
    boolean handedAny() {
        return handedAny;
    }

    /** What was kept back: no bytes follow. */
    ByteBuf rest() {
        return telling.rest();
    }

    /** Whether nothing that follows can be told. */
    boolean stuck() {
        return telling.stuck();
    }

    /** Nothing more is told. */
    void release() {
        unhanded.clear();
        telling.release();
    }
}
