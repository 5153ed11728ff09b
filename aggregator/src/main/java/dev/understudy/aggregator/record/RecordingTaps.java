package dev.understudy.aggregator.record;

import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records each connection from its beginning, or not at all: what a session has set before (a database, prepared
 * statements, a transaction) isn't known of one that is joined in its midst, and a wrong reply would be worse than
 * none.
 *
 * @param recording opens the recording of one connection
 */
public record RecordingTaps(Function<TapConnection, Tap> recording, RecordCounts counts) implements TapFactory {
    @Override
    public Tap open(TapConnection connection) {
        return recording.apply(connection);
    }

    @Override
    public @Nullable Tap join(TapConnection connection, boolean untouched) {
        if (untouched) {
            return open(connection);
        }
        counts.notFromItsBeginning();
        return null;
    }

    @Override
    public void unjoined(TapConnection connection) {
        counts.notFromItsBeginning();
    }
}
