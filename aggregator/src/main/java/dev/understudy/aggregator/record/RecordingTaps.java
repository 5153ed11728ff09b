package dev.understudy.aggregator.record;

import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBuf;
import java.util.function.Function;

/**
 * Records each connection from its beginning, or not at all: what a session has set before (a database, prepared
 * statements, a transaction) isn't known of one that is joined in its midst, and a wrong reply would be worse than
 * none.
 *
 * @param recording opens the recording of one connection
 * @param counts those of the upstream
 * @param outgoing hears of connections whose calls aren't recorded
 */
public record RecordingTaps(Function<TapConnection, Tap> recording, RecordCounts counts, OutgoingCalls outgoing)
        implements TapFactory {
    @Override
    public Tap open(TapConnection connection) {
        return recording.apply(connection);
    }

    @Override
    public Tap join(TapConnection connection, boolean untouched) {
        if (untouched) {
            return open(connection);
        }
        counts.begunBefore();
        outgoing.blindSince(connection.acceptedNanos());
        return new Unheard(outgoing);
    }

    /** A connection whose calls nobody knows, as long as it lasts. */
    private record Unheard(OutgoingCalls outgoing) implements Tap {
        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            data.release();
        }

        @Override
        public void end(Direction direction, long nanos) {}

        @Override
        public void closed(CloseReason reason, long nanos) {
            outgoing.blindNoMore();
        }
    }
}
