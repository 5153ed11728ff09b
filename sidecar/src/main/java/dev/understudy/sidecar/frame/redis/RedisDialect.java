package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.redis.RespComparison;
import dev.understudy.divergence.compare.redis.RespReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.FrameSession;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.tee.RequestStart;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Redis: RESP2, RESP3 and inline commands. Safe for use by several threads. */
public final class RedisDialect implements Dialect {
    private final RespComparison comparison;
    private final Masking masking;

    public RedisDialect(RespComparison comparison, Masking masking) {
        this.comparison = comparison;
        this.masking = masking;
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public <X> RequestStream requests(RequestStream.Cut<X> cut) {
        return new RedisRequestStream<>(cut);
    }

    @Override
    public <X> ReplyStream<X> replies(Function<X, ReplyCopy> side, ReplyStream.End<X> end) {
        return new RedisReplyStream<>(side.andThen(RedisReplyCopy.class::cast), end);
    }

    @Override
    public ReplyCopy copy(ReplyMemory memory, int most) {
        return new RedisReplyCopy(memory, most);
    }

    /**
     * Of a connection that nobody followed the database, the user, the protocol's version are unknown, and what is
     * watched.
     */
    @Override
    public @Nullable RequestStart start() {
        return null;
    }

    @Override
    public FrameSession session(MemoryBudget memory) {
        return new RedisSession(memory);
    }

    @Override
    public Verdict compare(
            Request request, ReplyCopy production, TextSpan times, ReplyCopy debug, TextSpan debugTimes) {
        RedisRequest asked = (RedisRequest) request;
        RespReply ours = ((RedisReplyCopy) production).finish(times);
        RespReply theirs = ((RedisReplyCopy) debug).finish(debugTimes);
        if (ours == null || theirs == null) {
            return Verdict.notCompared(NotCompared.OVERFLOW);
        }
        Verdict verdict = comparison.compare(asked.command(), asked.transaction(), ours, theirs);
        boolean shortened = production.shortened() || debug.shortened();
        if (shortened && verdict.kind() == VerdictKind.DIFFERENT) {
            return Verdict.notCompared(NotCompared.OVERFLOW);
        }
        return verdict.differences().isEmpty() || !asked.isSecret(masking) ? verdict : hidden(verdict);
    }

    private static Verdict hidden(Verdict verdict) {
        return new Verdict(
                verdict.kind(),
                verdict.reason(),
                verdict.differences().stream()
                        .map(difference -> new Difference(
                                difference.path(),
                                difference.type(),
                                difference.production() == null ? null : Masking.MASK,
                                difference.debug() == null ? null : Masking.MASK,
                                difference.noise()))
                        .toList());
    }
}
