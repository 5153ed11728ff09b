package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.fact.TransactionCodec;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.io.IOException;

/** A message on disk: its type and its body. */
final class PgMessages implements TransactionCodec.ErrorCodec<PgMessage> {
    static final PgMessages CODEC = new PgMessages();

    @Override
    public void encode(PgMessage message, PackedWriter out) {
        out.octet(message.type()).bytes(message.body());
    }

    @Override
    public PgMessage decode(PackedReader in) throws IOException {
        return new PgMessage((char) in.octet(), in.bytes());
    }
}
