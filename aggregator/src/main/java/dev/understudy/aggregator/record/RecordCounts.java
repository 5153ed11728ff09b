package dev.understudy.aggregator.record;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of production's traffic with one upstream. Safe for all threads. */
public final class RecordCounts {
    final LongAdder connections = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder exchanges = new LongAdder();
    final LongAdder background = new LongAdder();
    final LongAdder requestBytes = new LongAdder();
    final LongAdder replyBytes = new LongAdder();
    private final Map<Unrecorded, LongAdder> unrecorded = new EnumMap<>(Unrecorded.class);

    public RecordCounts() {
        for (Unrecorded reason : Unrecorded.values()) {
            unrecorded.put(reason, new LongAdder());
        }
    }

    /** Connections that production opened. */
    public long connections() {
        return connections.sum();
    }

    /** Of them, how many are open. */
    public long open() {
        return connections.sum() - closed.sum();
    }

    /** Complete exchanges given to the journal; over TCP, how often the upstream has begun to speak. */
    public long exchanges() {
        return exchanges.sum();
    }

    /** Complete exchanges that have no twin, of which the last replies are kept. */
    public long background() {
        return background.sum();
    }

    /** Bytes that production sent, as the recorder saw them. */
    public long requestBytes() {
        return requestBytes.sum();
    }

    /** Bytes that the upstream sent, as the recorder saw them. */
    public long replyBytes() {
        return replyBytes.sum();
    }

    /** How often something couldn't be recorded for this reason: exchanges or rests of connections. */
    public long unrecorded(Unrecorded reason) {
        return adder(reason).sum();
    }

    /** A connection had begun before anybody recorded it. */
    void begunBefore() {
        add(Unrecorded.BEGUN_BEFORE, 1);
    }

    void add(Unrecorded reason, long events) {
        adder(reason).add(events);
    }

    private LongAdder adder(Unrecorded reason) {
        LongAdder adder = unrecorded.get(reason);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + reason);
        }
        return adder;
    }
}
