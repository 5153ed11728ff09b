package dev.understudy.sidecar.lane;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.tap.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the debug JVM a request in its own terms: with the identities it made up itself, and in the trace it belongs to.
 *
 * <p>That happens at delivery, since an identity may come from a reply that debug gave a moment ago. A head in which
 * nothing is to be changed goes on as the very bytes the client sent. Confined to its lane loop.
 */
final class Rewriting {
    private static final Logger LOG = LoggerFactory.getLogger(Rewriting.class);

    private final IdentityMap identities;
    private final Connection connection;

    Rewriting(IdentityMap identities, Connection connection) {
        this.identities = identities;
        this.connection = connection;
    }

    /** Takes ownership of {@code raw}, the head's bytes, and gives up that of the result. Never throws. */
    ByteBuf apply(ByteBuf raw, RequestHead head, Exchange exchange) {
        RequestHead told = told(head, exchange);
        if (told.equals(head)) {
            return raw;
        }
        raw.release();
        return Unpooled.wrappedBuffer(told.encode());
    }

    private RequestHead told(RequestHead head, Exchange exchange) {
        try {
            RequestHead rewritten = identities.rewrite(head);
            return exchange.trace == null ? rewritten : rewritten.with("traceparent", exchange.trace.traceparent());
        } catch (RuntimeException defect) {
            LOG.error("connection {}: exchange {} goes on unchanged", connection.id(), exchange.id, defect);
            return head;
        }
    }
}
