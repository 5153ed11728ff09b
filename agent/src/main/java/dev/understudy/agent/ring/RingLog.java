package dev.understudy.agent.ring;

import dev.understudy.agent.bootstrap.CallSample;
import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Samples;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.Timings;
import dev.understudy.agent.bootstrap.Witness;
import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stance;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.budget.WindowReading;
import dev.understudy.agent.weave.ProbeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes into a {@link Ring} what isn't kept anywhere else: sampled calls, what samples cost, what the operator wants
 * of probes, what the controller decides, what was dropped.
 *
 * <p>Calls come on the application's threads, all else with the ticks.
 */
public final class RingLog extends Witness {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NOTABLE = 0.2;
    private static final int REASONS = 1000;
    /** What varies in a reason, as seconds do, isn't worth a name each. */
    private static final String FIGURE = "[0-9]+(\\.[0-9]+)?";

    private final Ring ring;
    private final ProbeDirectory directory;
    private final Governor governor;
    private final LongSupplier droppedStacks;
    private final Map<String, Integer> reasons = new HashMap<>();
    private final double[] toldCost = new double[Probes.CAPACITY];
    private final Stance[] toldStance = new Stance[Probes.CAPACITY];
    private volatile long epochMinusNanoTime = epochMinusNanoTime();
    private int named = 1;
    private long looked = System.nanoTime() - SECOND;
    private String toldReason = "";
    private double toldBudget = -1;
    private long toldDropped;

    private RingLog(Ring ring, ProbeDirectory directory, Governor governor, LongSupplier droppedStacks) {
        this.ring = ring;
        this.directory = directory;
        this.governor = governor;
        this.droppedStacks = droppedStacks;
    }

    /**
     * Begins to write into that file, of so many bytes.
     *
     * @throws IOException if it can't be written
     */
    public static RingLog open(
            Path file, int size, ProbeDirectory directory, Governor governor, LongSupplier droppedStacks)
            throws IOException {
        Ring ring = Ring.open(file, size, (System.nanoTime() + epochMinusNanoTime()) / 1000);
        RingLog log = new RingLog(ring, directory, governor, droppedStacks);
        Witness.tell(log);
        return log;
    }

    @Override
    protected void called(CallSample sample, @Nullable ServedExchange exchange) {
        Reading reading = sample.reading();
        ring.write(
                Ring.CALL | (sample.thrown() == null ? 0 : Ring.THREW),
                sample.probe,
                (sample.startNanos() + epochMinusNanoTime) / 1000,
                sample.endNanos() - sample.startNanos(),
                reading == null ? -1 : reading.took(Meter.CPU),
                reading == null ? -1 : reading.took(Meter.ALLOCATED),
                exchange == null ? 0 : span(exchange.key().span()),
                (int) sample.thread());
    }

    /** Writes what has changed; for the thread that ticks. */
    public void tick(Standing standing) {
        epochMinusNanoTime = epochMinusNanoTime();
        long now = System.nanoTime();
        boolean second = now - looked >= SECOND;
        looked = second ? now : looked;
        long micros = (now + epochMinusNanoTime) / 1000;
        int probes = directory.probes();
        for (; named < probes; named++) {
            ring.name(Ring.METHOD_NAME, named, directory.probe(named).toString());
        }
        decision(standing, micros, second);
        for (int probe = 1; second && probe < probes; probe++) {
            stance(probe, micros);
            cost(probe, micros);
        }
        dropped(micros);
    }

    private void decision(Standing standing, long micros, boolean second) {
        String reason = standing.why().replaceAll(FIGURE, "…");
        boolean changed = !reason.equals(toldReason) || standing.budget() != toldBudget;
        if (!changed && !second) {
            return;
        }
        toldReason = reason;
        toldBudget = standing.budget();
        WindowReading window = standing.window();
        ring.write(
                Ring.DECISION,
                number(reason),
                micros,
                Double.doubleToRawLongBits(standing.budget()),
                Double.doubleToRawLongBits(standing.spent()),
                Double.doubleToRawLongBits(window == null ? Double.NaN : window.utilisation()),
                window == null ? -1 : window.lagMillis(),
                (int) Math.min(Integer.MAX_VALUE, standing.samplesPerSecond()));
    }

    private int number(String reason) {
        Integer known = reasons.get(reason);
        if (known != null) {
            return known;
        }
        if (reasons.size() >= REASONS) {
            return 0;
        }
        int number = reasons.size() + 1;
        reasons.put(reason, number);
        ring.name(Ring.REASON_NAME, number, reason);
        return number;
    }

    private void stance(int probe, long micros) {
        Stance stance = governor.stance(probe);
        Stance before = toldStance[probe] == null ? Stance.FREE : toldStance[probe];
        if (stance != before) {
            toldStance[probe] = stance;
            int code = stance == Stance.ARMED ? 1 : stance == Stance.OFF ? 2 : 0;
            ring.write(Ring.STANCE, probe, micros, code, 0, 0, 0, 0);
        }
    }

    private void cost(int probe, long micros) {
        double nanos = governor.sampleNanos(probe);
        if (governor.hits(probe) == 0 || Math.abs(nanos - toldCost[probe]) <= NOTABLE * toldCost[probe]) {
            return;
        }
        toldCost[probe] = nanos;
        ring.write(
                Ring.COST,
                probe,
                micros,
                governor.hits(probe),
                Double.doubleToRawLongBits(nanos),
                Double.doubleToRawLongBits(governor.hitsPerSecond(probe)),
                Timings.samples(probe),
                Probes.period(probe));
    }

    private void dropped(long micros) {
        long observations = Observations.dropped();
        long spans = Samples.dropped();
        long refused = Credit.refused();
        long stacks = droppedStacks.getAsLong();
        long missed = Meter.missed();
        long all = observations + spans + refused + stacks + missed;
        if (all != toldDropped) {
            toldDropped = all;
            ring.write(Ring.DROPPED, 0, micros, observations, spans, refused, stacks, (int) missed);
        }
    }

    private static long span(String id) {
        return id.isEmpty() ? 0 : Long.parseUnsignedLong(id, 16);
    }

    private static long epochMinusNanoTime() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    }
}
