package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestRewriter;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.tee.RequestStart;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 and HTTP/2, with the debug JVM's own identities: what it made up itself is rewritten in the requests that it
 * gets.
 *
 * <p>That happens at delivery, since an identity may come from a reply that debug gave a moment ago. Safe for use by
 * several threads.
 */
public final class HttpDialect implements Dialect {
    private static final int REPLAY_IDENTITIES = 1_000;

    private final HttpComparison comparison;
    private final IdentityMap identities;
    private final SessionNames sessions;

    /** @param identities those that {@code comparison} learns */
    public HttpDialect(HttpComparison comparison, IdentityMap identities) {
        this.comparison = comparison;
        this.identities = identities;
        this.sessions = new SessionNames(identities);
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
    public boolean requestsStandAlone() {
        return true;
    }

    /** In HTTP/2 a request is told in terms of those before. */
    @Override
    public boolean canReplay(Request request) {
        return request.stream() == 0;
    }

    /** What debug makes up anew has no partner among the pairs that are known. */
    @Override
    public Dialect forReplay() {
        return new HttpDialect(comparison.with(new IdentityMap(REPLAY_IDENTITIES)), identities);
    }

    @Override
    public RequestRewriter telling(MemoryBudget memory) {
        return new VersionTelling(new OwnIdentities(identities), memory);
    }

    @Override
    public @Nullable String sessionOf(Request request) {
        return sessions.of(((HttpRequest) request).head());
    }

    @Override
    public Verdict compare(
            Request request, ReplyCopy production, TextSpan times, ReplyCopy debug, TextSpan debugTimes) {
        HttpReply ours = ((HttpReplyCopy) production).finish(times);
        HttpReply theirs = ((HttpReplyCopy) debug).finish(debugTimes);
        if (ours == null || theirs == null) {
            return Verdict.notCompared(NotCompared.OVERFLOW);
        }
        RequestHead head = ((HttpRequest) request).head();
        Verdict verdict = comparison.compare(head.method() + ' ' + head.target(), ours, theirs);
        boolean shortened = production.shortened() || debug.shortened();
        return shortened && onlyBodiesDiffer(verdict) ? Verdict.notCompared(NotCompared.OVERFLOW) : verdict;
    }

    /** Of a body that was forgotten nobody can say whether its difference mattered. */
    private static boolean onlyBodiesDiffer(Verdict verdict) {
        return verdict.kind() == VerdictKind.DIFFERENT
                && verdict.differences().stream()
                        .filter(difference -> difference.noise() == null)
                        .map(Difference::path)
                        .allMatch(path -> path.startsWith("body"));
    }
}
