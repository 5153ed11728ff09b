package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;

/**
 * A reply that is given again message by message: to several statements in one text, or to a function call.
 *
 * @param messages all but the ReadyForQuery
 * @param status the transaction status that ReadyForQuery announced: {@code I}, {@code T} or {@code E}
 */
public record PgScript(List<PgMessage> messages, char status, PgTransaction transaction) implements PgReply {
    public PgScript {
        messages = List.copyOf(messages);
    }

    @Override
    public long bytes() {
        return 100 + PgResult.bytes(messages);
    }

    @Override
    public long answer() {
        return PgResult.answer(messages).value();
    }
}
