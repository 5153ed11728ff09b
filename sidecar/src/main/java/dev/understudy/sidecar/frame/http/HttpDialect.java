package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.Span;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.tee.RequestStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 and HTTP/2, with the debug JVM's own identities: what it made up itself is rewritten in the requests that it gets,
 * if they are HTTP/1.1's.
 *
 * <p>That happens at delivery, since an identity may come from a reply that debug gave a moment ago. A head in which
 * nothing is to be changed goes on as the very bytes the client sent. Safe for use by several threads.
 */
public final class HttpDialect implements Dialect {
    private static final Logger LOG = LoggerFactory.getLogger(HttpDialect.class);

    private final HttpComparison comparison;
    private final IdentityMap identities;

    /** @param identities those that {@code comparison} learns */
    public HttpDialect(HttpComparison comparison, IdentityMap identities) {
        this.comparison = comparison;
        this.identities = identities;
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public <X> RequestStream requests(RequestStream.Cut<X> cut) {
        return new VersionRequestStream<>(cut);
    }

    @Override
    public <X> ReplyStream<X> replies(Function<X, ReplyCopy> side, ReplyStream.End<X> end) {
        return new VersionReplyStream<>(side.andThen(HttpReplyCopy.class::cast), end);
    }

    @Override
    public ReplyCopy copy(ReplyMemory memory, int most) {
        return new HttpReplyCopy(memory, most);
    }

    @Override
    public RequestStart start() {
        return HttpRequestStart::look;
    }

    @Override
    public boolean tellsTraces() {
        return true;
    }

    @Override
    public ByteBuf told(Request request, ByteBuf raw, @Nullable String traceparent) {
        HttpRequest asked = (HttpRequest) request;
        if (asked.stream() != 0) {
            return raw;
        }
        RequestHead told = told(asked.head(), traceparent);
        byte[] whole = raw.readableBytes() > asked.rawLength() ? whole(raw, told) : null;
        if (whole == null && told.equals(asked.head())) {
            return raw;
        }
        ByteBuf body = raw.skipBytes(asked.rawLength()).readRetainedSlice(raw.readableBytes());
        raw.release();
        if (whole == null) {
            return Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(told.encode()), body);
        }
        body.release();
        return Unpooled.wrappedBuffer(whole);
    }

    private byte @Nullable [] whole(ByteBuf raw, RequestHead told) {
        try {
            return WholeRequest.rewritten(raw, told, identities);
        } catch (RuntimeException defect) {
            LOG.error("the body of a {} request goes on unchanged", told.method(), defect);
            return null;
        }
    }

    private RequestHead told(RequestHead head, @Nullable String traceparent) {
        try {
            RequestHead rewritten = identities.rewrite(head);
            return traceparent == null ? rewritten : rewritten.with("traceparent", traceparent);
        } catch (RuntimeException defect) {
            LOG.error("a {} request goes on unchanged", head.method(), defect);
            return head;
        }
    }

    @Override
    public Verdict compare(Request request, ReplyCopy production, Span times, ReplyCopy debug, Span debugTimes) {
        HttpReply ours = ((HttpReplyCopy) production).finish(times);
        HttpReply theirs = ((HttpReplyCopy) debug).finish(debugTimes);
        if (ours == null || theirs == null) {
            return Verdict.notCompared(NotCompared.OVERFLOW);
        }
        Verdict verdict = comparison.compare(((HttpRequest) request).head().target(), ours, theirs);
        boolean shortened = production.shortened() || debug.shortened();
        return shortened && onlyBodiesDiffer(verdict) ? Verdict.notCompared(NotCompared.OVERFLOW) : verdict;
    }

    /** Of a body that was forgotten nobody can say whether its difference mattered. */
    private static boolean onlyBodiesDiffer(Verdict verdict) {
        return verdict.kind() == Kind.DIFFERENT
                && verdict.differences().stream()
                        .filter(difference -> difference.noise() == null)
                        .map(Difference::path)
                        .allMatch(path -> path.startsWith("body"));
    }
}
