package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.sql.SqlComparison;
import dev.understudy.divergence.compare.sql.SqlReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestRewriter;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.tee.RequestStart;
import io.netty.buffer.Unpooled;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's protocol, versions 3.0 to 3.2. Safe for use by several threads. */
public final class PostgresDialect implements Dialect {
    private final SqlComparison comparison;

    public PostgresDialect(SqlComparison comparison) {
        this.comparison = comparison;
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public <X> RequestStream requests(RequestStream.Cut<X> cut) {
        return new PgRequestStream<>(cut);
    }

    @Override
    public <X> ReplyStream<X> replies(Function<X, ReplyCopy> side, ReplyStream.End<X> end) {
        return new PgReplyStream<>(side.andThen(PgReplyCopy.class::cast), end);
    }

    @Override
    public ReplyCopy copy(ReplyMemory memory, int most) {
        return new PgReplyCopy(memory, most);
    }

    /**
     * Of a connection that nobody followed the user, the settings, the transaction and all prepared statements are
     * unknown.
     */
    @Override
    public @Nullable RequestStart start() {
        return null;
    }

    /** Nothing of a proof that the debug server hasn't asked for: it would end the connection. */
    @Override
    public RequestRewriter telling(MemoryBudget memory) {
        return (request, raw, traceparent) -> {
            if (!((PgRequest) request).untold()) {
                return raw;
            }
            raw.release();
            return Unpooled.EMPTY_BUFFER;
        };
    }

    @Override
    public Verdict compare(
            Request request, ReplyCopy production, TextSpan times, ReplyCopy debug, TextSpan debugTimes) {
        PgReplyCopy one = (PgReplyCopy) production;
        PgReplyCopy two = (PgReplyCopy) debug;
        SqlReply ours = one.finish(times);
        SqlReply theirs = two.finish(debugTimes);
        if (ours == null || theirs == null) {
            return Verdict.notCompared(NotCompared.OVERFLOW);
        }
        PgRequest asked = (PgRequest) request;
        if (asked.untold() || enteredOtherwise(asked, one, two)) {
            return Verdict.notCompared(NotCompared.AUTHENTICATION);
        }
        Verdict verdict = comparison.compare(ours, theirs);
        boolean shortened = production.shortened() || debug.shortened();
        return shortened && verdict.kind() == VerdictKind.DIFFERENT
                ? Verdict.notCompared(NotCompared.OVERFLOW)
                : verdict;
    }

    /** Whether only one server has let the client in, for want of a proof, or the way in differs. */
    private static boolean enteredOtherwise(PgRequest request, PgReplyCopy production, PgReplyCopy debug) {
        boolean startup = request.kind() == PgRequest.Kind.STARTUP;
        if (startup && production.way() != null && debug.way() != null) {
            return !production.way().equals(debug.way());
        }
        boolean refused = debug.isOutside() && !production.isOutside();
        boolean entering = startup || request.kind() == PgRequest.Kind.PASSWORD;
        return refused && (debug.wantsProof() || !entering);
    }
}
