package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts into requests what the debug JVM made up itself, and the trace that it is told. What that should fail on goes on
 * unchanged. Safe for use by several threads.
 */
final class OwnIdentities {
    private static final Logger LOG = LoggerFactory.getLogger(OwnIdentities.class);

    private final IdentityMap identities;

    OwnIdentities(IdentityMap identities) {
        this.identities = identities;
    }

    /** Whether there are any. */
    boolean any() {
        return identities.size() > 0;
    }

    /** The head that debug is told; the same object if nothing is to be changed. */
    RequestHead head(RequestHead head, @Nullable String traceparent) {
        try {
            RequestHead rewritten = identities.rewrite(head);
            return traceparent == null ? rewritten : rewritten.with("traceparent", traceparent);
        } catch (RuntimeException defect) {
            LOG.error("a {} request goes on unchanged", head.method(), defect);
            return head;
        }
    }

    /** A body of that type as debug is told it; the same object if nothing is to be changed. */
    byte[] body(MediaType type, byte[] body) {
        try {
            return identities.rewrite(type, body);
        } catch (RuntimeException defect) {
            LOG.error("a body of {} goes on unchanged", type, defect);
            return body;
        }
    }

    /** A whole HTTP/1.1 request of which the body is changed; null if it isn't. */
    byte @Nullable [] whole(ByteBuf raw, HttpRequest asked, RequestHead told) {
        try {
            return WholeRequest.rewritten(raw, asked, told, identities);
        } catch (RuntimeException defect) {
            LOG.error("the body of a {} request goes on unchanged", told.method(), defect);
            return null;
        }
    }
}
