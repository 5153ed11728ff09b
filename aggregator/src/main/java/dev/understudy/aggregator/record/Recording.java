package dev.understudy.aggregator.record;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the recorder of one production connection puts what it finds. Used on that connection's lane loop.
 */
public final class Recording<R extends Reply> {
    private static final Logger log = LoggerFactory.getLogger(Recording.class);

    private final String upstream;
    private final long connection;
    private final Journal<R> journal;
    private final RecordCounts counts;
    private final long largestMessage;
    private boolean degraded;

    /** Makes the recording of one connection to the upstream of this name. */
    public Recording(String upstream, long connection, Journal<R> journal, RecordCounts counts, long largestMessage) {
        this.upstream = upstream;
        this.connection = connection;
        this.journal = journal;
        this.counts = counts;
        this.largestMessage = largestMessage;
    }

    /** Production's connection. */
    public long connection() {
        return connection;
    }

    /** Bytes of one message (request or reply) beyond which it isn't kept; {@link Unrecorded#TOO_LARGE}. */
    public long largestMessage() {
        return largestMessage;
    }

    /** A complete exchange. The form and the reply hold no secrets. */
    public void exchange(Form form, R reply, long startNanos, long endNanos) {
        counts.exchanges.increment();
        journal.add(form, connection, startNanos, endNanos, reply);
    }

    /** Publishes a fact for the debug side, such as a greeting; the latest one under a key counts. */
    public void share(String key, Object fact) {
        journal.share(key, fact);
    }

    /** Some exchanges that can't be recorded, while the connection stays framed. */
    public void dropped(Unrecorded reason, long exchanges) {
        counts.add(reason, exchanges);
    }

    /** The rest of this connection can't be recorded. Counted and logged once, the first reason only. */
    public void unframed(Unrecorded reason, String detail) {
        if (degraded) {
            return;
        }
        degraded = true;
        counts.add(reason, 1);
        log.warn(
                "upstream {}: production connection {} can't be recorded from here on: {} ({})",
                upstream,
                connection,
                reason,
                detail);
    }
}
