package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.lane.LossReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Everything one listener's lanes count, without a lock. */
public final class Tally {
    private final Map<VerdictKind, LongAdder> verdicts;
    private final Map<NotCompared, LongAdder> notCompared;
    private final Map<LossReason, LongAdder> lossEvents;
    private final Map<LossReason, LongAdder> lossBytes;
    private final LongAdder answeredByProduction;
    private final LongAdder answeredByDebug;
    private final LongAdder answeredLate;
    private final LongAdder unframed;
    private final LongAdder joined;
    private final LongAdder unjoined;
    private final LongAdder rejoined;
    private final LongAdder notSampled;
    private final LongAdder inSnapshot;
    private final LongAdder lanesOpened;
    private final LongAdder lanesEnded;
    private final LongAdder lanesConnected;
    private final Latency production;
    private final Latency debug;
    private final Fidelity fidelity;

    /** That of a listener, whose debug JVM began with nobody knows what. */
    public Tally() {
        this((CopyState) null);
    }

    /** That of a listener. */
    public Tally(@Nullable CopyState state) {
        verdicts = adders(VerdictKind.class);
        notCompared = adders(NotCompared.class);
        lossEvents = adders(LossReason.class);
        lossBytes = adders(LossReason.class);
        answeredByProduction = new LongAdder();
        answeredByDebug = new LongAdder();
        answeredLate = new LongAdder();
        unframed = new LongAdder();
        joined = new LongAdder();
        unjoined = new LongAdder();
        rejoined = new LongAdder();
        notSampled = new LongAdder();
        inSnapshot = new LongAdder();
        lanesOpened = new LongAdder();
        lanesEnded = new LongAdder();
        lanesConnected = new LongAdder();
        production = new Latency();
        debug = new Latency();
        fidelity = new Fidelity(state);
    }

    private Tally(Tally listener) {
        verdicts = listener.verdicts;
        notCompared = listener.notCompared;
        lossEvents = listener.lossEvents;
        lossBytes = listener.lossBytes;
        answeredByProduction = listener.answeredByProduction;
        answeredByDebug = listener.answeredByDebug;
        answeredLate = listener.answeredLate;
        unframed = listener.unframed;
        joined = listener.joined;
        unjoined = listener.unjoined;
        rejoined = listener.rejoined;
        notSampled = listener.notSampled;
        inSnapshot = listener.inSnapshot;
        lanesOpened = listener.lanesOpened;
        lanesEnded = listener.lanesEnded;
        lanesConnected = listener.lanesConnected;
        production = listener.production;
        debug = listener.debug;
        fidelity = listener.fidelity.ofConnection();
    }

    /** The same counters for one connection, but with a fidelity of its own. */
    public Tally ofConnection() {
        return new Tally(this);
    }

    /** An exchange got its verdict. */
    public void judged(Verdict verdict) {
        NotCompared reason = verdict.reason();
        if (reason != null && verdict.kind() == VerdictKind.NOT_COMPARED) {
            adder(notCompared, reason).increment();
        }
        adder(verdicts, verdict.kind()).increment();
    }

    /** Production answered a request, {@code nanos} after it arrived. */
    public void productionAnswered(long nanos) {
        answeredByProduction.increment();
        production.record(nanos);
    }

    /** Debug answered a request in time, {@code nanos} after it was delivered. */
    public void debugAnswered(long nanos) {
        answeredByDebug.increment();
        debug.record(nanos);
    }

    /** Debug answered a request that had been given up. */
    public void debugAnsweredLate() {
        answeredLate.increment();
    }

    /** A connection turned out not to be framable. */
    public void unframed() {
        unframed.increment();
    }

    /** A connection was joined that was open before the tee was on. */
    public void joined() {
        joined.increment();
    }

    /** A connection that was open before the tee was on wasn't joined. */
    public void unjoined() {
        unjoined.increment();
    }

    /** A connection whose lane had ended got another one. */
    public void rejoined() {
        rejoined.increment();
    }

    /** A request isn't given to the debug JVM, since the snapshot that it began with has it. */
    public void inSnapshot() {
        inSnapshot.increment();
    }

    /** Requests that the debug JVM's snapshot has. */
    public long requestsInSnapshot() {
        return inSnapshot.sum();
    }

    /** A request was left out by the sampling, and is counted nowhere else. */
    public void notSampled() {
        notSampled.increment();
    }

    /** A lane lost its debug side for {@code reason}. */
    public void lost(LossReason reason) {
        adder(lossEvents, reason).increment();
    }

    /** Client bytes that won't reach the debug JVM. */
    public void lostBytes(LossReason reason, long bytes) {
        adder(lossBytes, reason).add(bytes);
        fidelity.lostBytes(bytes, reason.name());
    }

    public void laneOpened() {
        lanesOpened.increment();
    }

    public void laneEnded() {
        lanesEnded.increment();
    }

    /** One lane more (or, with -1, less) has a connection to the debug JVM. */
    public void laneConnected(int change) {
        lanesConnected.add(change);
    }

    public long verdicts(VerdictKind kind) {
        return adder(verdicts, kind).sum();
    }

    public long notCompared(NotCompared reason) {
        return adder(notCompared, reason).sum();
    }

    public long lossEvents(LossReason reason) {
        return adder(lossEvents, reason).sum();
    }

    public long lossBytes(LossReason reason) {
        return adder(lossBytes, reason).sum();
    }

    public long answeredByProduction() {
        return answeredByProduction.sum();
    }

    public long answeredByDebug() {
        return answeredByDebug.sum();
    }

    public long answeredLate() {
        return answeredLate.sum();
    }

    public long unframedConnections() {
        return unframed.sum();
    }

    public long joinedConnections() {
        return joined.sum();
    }

    public long unjoinedConnections() {
        return unjoined.sum();
    }

    public long rejoinedConnections() {
        return rejoined.sum();
    }

    public long requestsNotSampled() {
        return notSampled.sum();
    }

    /** Lanes whose debug side isn't over; may outlive their client's connection. */
    public long lanesOpen() {
        // what is read later may have gone on: rather one too many than one too few
        long over = lanesEnded.sum();
        return lanesOpened.sum() - over;
    }

    public long lanesConnected() {
        return lanesConnected.sum();
    }

    public Latency production() {
        return production;
    }

    public Latency debug() {
        return debug;
    }

    public Fidelity fidelity() {
        return fidelity;
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        Map<E, LongAdder> adders = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            adders.put(constant, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> adders, E key) {
        LongAdder adder = adders.get(key);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return adder;
    }
}
