package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.Verdicts;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the replies to one Redis command (RESP2 or RESP3): by bytes first; if those differ, by what the command's
 * answer means.
 *
 * <p>Keeps nothing between calls; may be used by several threads at once.
 *
 * <pre>{@code
 * RespComparison comparison = new RespComparison(ComparisonRules.defaults(), new IdentityMap(1000));
 * Verdict verdict = comparison.compare(command, List.of(), RespReply.of(ours, t, t), RespReply.of(theirs, t, t));
 * }</pre>
 */
public final class RespComparison {
    private static final String PATH = "reply";

    private final ComparisonRules rules;
    private final IdentityMap identities;

    public RespComparison(ComparisonRules rules, IdentityMap identities) {
        this.rules = rules;
        this.identities = identities;
    }

    /**
     * What differs and whether it matters. Never throws on what a server sent.
     *
     * <p>Replies of which one was cut off are NOT_COMPARED; so are such as the server made up by chance or from its own
     * state, unless one is an error and the other isn't.
     *
     * @param transaction the commands that an {@code EXEC} runs, in order; empty if they aren't known
     */
    public Verdict compare(
            RedisCommand command, List<RedisCommand> transaction, RespReply production, RespReply debug) {
        try {
            return verdict(command, transaction, production, debug);
        } catch (RuntimeException | StackOverflowError e) {
            return Verdict.notCompared(NotCompared.INTERNAL);
        }
    }

    private Verdict verdict(
            RedisCommand command, List<RedisCommand> transaction, RespReply production, RespReply debug) {
        if (!production.complete() || !debug.complete()) {
            return Verdict.notCompared(NotCompared.INCOMPLETE);
        }
        if (production.equalTo(debug)) {
            return Verdict.SAME;
        }
        Differences differences = new Differences(rules);
        RespValue ours = value(production);
        RespValue theirs = value(debug);
        if (ours == null || theirs == null) {
            return large(command, production, debug, differences);
        }
        IdentityDraft draft = new IdentityDraft(identities);
        ValueNoise noise = new ValueNoise(rules, draft, production.span(), debug.span()).withoutLearning();
        MixedText mixed = new MixedText(draft, noise, differences);
        RespValueComparison values = new RespValueComparison(noise, mixed, differences);
        if (command.name().equals("EXEC")) {
            values.transaction(PATH, transaction, ours, theirs);
        } else {
            values.compare(PATH, RespAnswer.of(command), ours, theirs);
        }
        if (differences.isEmpty() && !values.isVolatile()) { // never SAME nor EQUIVALENT without a reason
            bytes(production, debug, differences);
        }
        Verdict verdict = Verdicts.of(!values.isVolatile(), List.of(differences), rules);
        return verdict.kind() == VerdictKind.NOT_COMPARED
                ? new Verdict(VerdictKind.NOT_COMPARED, NotCompared.VOLATILE, verdict.differences())
                : verdict;
    }

    /** Only an order that means something makes hashes tell a difference. */
    private Verdict large(RedisCommand command, RespReply production, RespReply debug, Differences differences) {
        if (RespAnswer.of(command) != RespAnswer.PLAIN || command.name().equals("EXEC") || isUnordered(production)) {
            return Verdict.notCompared(NotCompared.TOO_LARGE);
        }
        bytes(production, debug, differences);
        return Verdicts.of(true, List.of(differences), rules);
    }

    private static boolean isUnordered(RespReply reply) {
        return reply.bytes().length == 0 || "$:+-,(=!_#".indexOf(reply.bytes()[0]) < 0;
    }

    private static void bytes(RespReply production, RespReply debug, Differences differences) {
        differences.real(
                PATH,
                production.length() == debug.length() ? Difference.Type.VALUE : Difference.Type.LENGTH,
                described(production),
                described(debug));
    }

    private static String described(RespReply reply) {
        byte[] hash = reply.sha256();
        return reply.length() + " bytes, sha256 " + HexFormat.of().formatHex(hash, 0, Math.min(6, hash.length)) + "…";
    }

    /** Null if it isn't held, or isn't one value. */
    private static @Nullable RespValue value(RespReply reply) {
        if (!reply.held() || reply.bytes().length == 0) {
            return null;
        }
        One one = new One();
        new RespFramer(one, reply.bytes().length).feed(ByteBuffer.wrap(reply.bytes()));
        return one.unframed || one.values != 1 ? null : one.value;
    }

    private static final class One implements RespSink {
        private @Nullable RespValue value;
        private int values;
        private boolean unframed;

        @Override
        public void value(RespValue read, Sent sent) {
            value = read;
            values++;
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            unframed = true;
        }
    }
}
