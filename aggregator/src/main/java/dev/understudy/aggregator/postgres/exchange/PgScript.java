package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply that is given again message by message: to several statements in one text, or to a function call.
 *
 * @param messages all but the ReadyForQuery
 * @param status the transaction status that ReadyForQuery announced: {@code I}, {@code T} or {@code E}
 * @param large messages as wire bytes that lie in files; null if there are none
 * @param largeAt before how many of {@code messages} from its end those come
 */
public record PgScript(
        List<PgMessage> messages,
        char status,
        PgTransaction transaction,
        @Nullable LargeBody large,
        int largeAt) implements PgReply {
    /** A reply that is all in memory. */
    public PgScript(List<PgMessage> messages, char status, PgTransaction transaction) {
        this(messages, status, transaction, null, 0);
    }

    public PgScript {
        messages = List.copyOf(messages);
    }

    @Override
    public long bytes() {
        return 100 + PgResult.bytes(messages);
    }

    @Override
    public long answer() {
        Checksum sum = PgResult.answer(messages);
        LargeBody body = large;
        return body == null
                ? sum.value()
                : sum.add((int) (body.sum() >>> 32)).add((int) body.sum()).value();
    }
}
