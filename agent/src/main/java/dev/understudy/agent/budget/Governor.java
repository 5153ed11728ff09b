package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Probes;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Keeps the probes within the budget: measures how often they are hit and what they cost, divides what the
 * controller allows, and sets each probe's period.
 *
 * <p>Runs with every tick, and at once when a reading of the window takes budget away. Counting alone costs
 * something too; it is taken off the budget first. Guarded by this object.
 */
public final class Governor {
    /** How often {@link #tick} should be called. */
    public static final long TICK_MILLIS = 100;

    private static final double BURST = 2;
    private static final int SCARCE = 64;
    /** What a sample of a suspected method weighs beside one of another. */
    private static final double FAVOURED = 8;

    /**
     * Of the budget, what is for looking however dear counting and the agent's own threads are, which need most of it
     * while they are new.
     */
    private static final double LEAST = 1.0 / 8;

    /** What the agent's own threads use without any sample: the price of being there, not of looking. */
    private static final double PRESENCE = 0.01;

    private final Controller controller;
    private final Costs costs;
    private final IntSupplier probes;
    private final LongSupplier nanoTime;
    private final LongSupplier ownCpuNanos;
    private final Rates rates;
    private final WaterFilling filling = new WaterFilling();
    private final Allotment allotment = new Allotment();
    private final GateKeeper keeper;
    private final Observing observing;
    private final Stances stances = new Stances();
    private final Passing passing;
    private final Stacking stacking;
    private final Metering metering;
    private Quota quota;

    private long tickedAt;
    private long ownCpuSeen;
    private double price;
    private double spent;
    private double samplesPerSecond;
    private double ownShare;
    private boolean tooDear;
    private BitSet favoured = new BitSet();

    /**
     * A governor that has armed nothing yet.
     *
     * @param probes the smallest number no probe has yet
     * @param gateOf a probe's gate
     * @param ownCpuNanos the CPU time of the agent's own threads
     * @param observing decides how many exchanges are observed
     * @param branches the smallest number no branch has yet
     * @param stacking is told how often stacks may be taken
     * @param metering decides how many samples are measured beside their time
     * @param quota sees to it that methods that run rarely are sampled
     */
    public Governor(
            Controller controller,
            Costs costs,
            IntSupplier probes,
            IntUnaryOperator gateOf,
            LongSupplier nanoTime,
            LongSupplier ownCpuNanos,
            Observing observing,
            IntSupplier branches,
            Stacking stacking,
            Metering metering,
            Quota quota) {
        this.controller = controller;
        this.costs = costs;
        this.probes = probes;
        this.observing = observing;
        this.passing = new Passing(branches);
        this.stacking = stacking;
        this.metering = metering;
        this.quota = quota;
        this.nanoTime = nanoTime;
        this.ownCpuNanos = ownCpuNanos;
        this.rates = new Rates(probes.getAsInt());
        this.tickedAt = nanoTime.getAsLong();
        this.keeper = new GateKeeper(controller.max(), gateOf, stances, tickedAt);
    }

    /**
     * Takes a reading of the window; when it lowers the budget the probes follow before this returns.
     *
     * @return whether this reading took the whole budget
     */
    public synchronized boolean reading(WindowReading reading) {
        double before = controller.budget();
        controller.reading(reading, nanoTime.getAsLong());
        if (controller.budget() < before) {
            apply();
        }
        return before > 0 && controller.budget() == 0;
    }

    /** Measures the time since the last tick and divides the budget anew. */
    public synchronized void tick() {
        long now = nanoTime.getAsLong();
        controller.tick(now);
        double seconds = Math.max(1, now - tickedAt) / 1e9;
        tickedAt = now;
        double nanos = rates.learn(probes.getAsInt(), seconds, costs)
                + observing.learn(seconds)
                + stacking.learn(seconds)
                + metering.learn(seconds);
        quota.learn(seconds, quotaNanos());
        passing.learn(seconds);
        nanos += passing.share() * seconds * 1e9;
        long ownCpu = ownCpuNanos.getAsLong();
        ownShare += 0.2 * ((ownCpu - ownCpuSeen) / 1e9 / seconds - ownShare);
        ownCpuSeen = ownCpu;
        spent += 0.2 * (nanos / 1e9 / seconds - spent);
        controller.spent(nanos / 1e9 / seconds, seconds);
        int count = probes.getAsInt();
        stances.decide(count);
        keeper.share(count);
        if (controller.oneIn() == 0) {
            keeper.look(count, rates, costs.countNanos(), controller.budget(), now);
        }
        apply();
    }

    /** What the operator wants of probes from now on, by their numbers; it holds before this returns. */
    public synchronized void stances(IntFunction<Stance> rule) {
        stances.follow(rule);
        int count = probes.getAsInt();
        stances.decide(count);
        keeper.steered(count, nanoTime.getAsLong());
        apply();
    }

    /**
     * The operator wants another largest budget, other sampling or another lag; it holds before this returns.
     *
     * @param oneIn of how many calls one is sampled, whatever becomes of the window; 0 if the budget decides
     * @param lag how far behind the debug JVM may be before that costs it samples
     */
    public synchronized void limit(double max, int oneIn, Duration lag) {
        long now = nanoTime.getAsLong();
        controller.limit(max, oneIn, lag, now);
        keeper.limit(max, oneIn > 0, now);
        apply();
    }

    /** From now on this quota holds. */
    public synchronized void quota(Quota wanted) {
        quota = wanted;
    }

    /**
     * Something else is measured of calls from now on, at that price in nanoseconds as it was tried; 0 if nothing is.
     * It holds before this returns.
     */
    public synchronized void measured(double triedNanos) {
        metering.tried(triedNanos);
        apply();
    }

    /** What the operator wants of the probe. */
    public synchronized Stance stance(int probe) {
        return stances.of(probe);
    }

    /** Of how many probes the operator wants that. */
    public synchronized int count(Stance stance) {
        return stances.count(stance);
    }

    /** From now on other agents look at those probes: their classes' gates are closed here before this returns. */
    public synchronized void part(IntPredicate elsewhere) {
        int count = probes.getAsInt();
        stances.decide(count);
        keeper.part(elsewhere, count);
    }

    /** The figures of this moment. */
    public synchronized Standing standing() {
        return new Standing(controller, spent + ownShare, price, samplesPerSecond, keeper.closed(), tooDear);
    }

    /** Whether the probe's calls aren't seen, since its class is closed or the operator wants it off. */
    public synchronized boolean isUnseen(int probe) {
        return keeper.isClosed(probe) || stances.of(probe) == Stance.OFF;
    }

    /** How often the probe is hit per second. */
    public synchronized double hitsPerSecond(int probe) {
        return rates.perSecond(probe);
    }

    /** How often the probe was hit while its class's gate was open. */
    public synchronized long hits(int probe) {
        return rates.hits(probe);
    }

    /** What one sample of the probe costs in nanoseconds. */
    public synchronized double sampleNanos(int probe) {
        return costs.sampleNanos(probe);
    }

    /** What passing the branch costs lately, as a share of one core, whether it is observed or not. */
    public synchronized double passing(int branch) {
        return passing.share(branch);
    }

    /** Probes that get a larger share of the samples from the next tick on. */
    public synchronized void favour(BitSet probes) {
        favoured = (BitSet) probes.clone();
    }

    private void apply() {
        int count = probes.getAsInt();
        stances.decide(count);
        if (controller.oneIn() > 0) {
            sampleOneIn(controller.oneIn(), count);
            return;
        }
        double counting = passing.share();
        allotment.clear();
        for (int probe = 1; probe < count; probe++) {
            Probes.price(probe, costs.sampleNanos(probe));
            double rate = rates.perSecond(probe);
            if (rate > 0 && !isUnseen(probe)) {
                counting += rate * costs.countNanos() / 1e9;
                boolean armed = stances.of(probe) == Stance.ARMED;
                double weight = favoured.get(probe) ? FAVOURED : 1;
                allotment.add(probe, weight, rate, costs.sampleNanos(probe) / 1e9, armed);
            }
        }
        double left = controller.budget() - counting - Math.max(0, ownShare - PRESENCE);
        tooDear = controller.budget() > 0 && left <= 0;
        double forSamples = Math.max(
                left, Math.min(controller.budget(), Math.max(controller.floor(), controller.budget() * LEAST)));
        if (forSamples <= 0) {
            disarm(count);
            return;
        }
        for (int probe = 1; probe < count; probe++) {
            if (stances.of(probe) == Stance.OFF) {
                Probes.arm(probe, 0);
            } else if (rates.perSecond(probe) == 0) {
                Probes.arm(probe, 1); // should it be hit after all, that is worth a look; the credit bounds it
            }
        }
        double aside = observing.allow(forSamples)
                + stacking.allow(forSamples)
                + metering.allow(forSamples, samplesPerSecond)
                + quota.allow(count, forSamples, quotaNanos());
        price = allotment.divide(filling, forSamples - aside);
        samplesPerSecond = allotment.arm();
        double perTick = samplesPerSecond * TICK_MILLIS / 1000;
        Credit.set((int) Math.min(Integer.MAX_VALUE, BURST * perTick + SCARCE));
    }

    private void sampleOneIn(int period, int count) {
        tooDear = false;
        price = 0;
        samplesPerSecond = 0;
        for (int probe = 1; probe < count; probe++) {
            boolean off = stances.of(probe) == Stance.OFF;
            Probes.price(probe, costs.sampleNanos(probe));
            Probes.arm(probe, off ? 0 : period);
            samplesPerSecond += off ? 0 : rates.perSecond(probe) / period;
        }
        Credit.set(Integer.MAX_VALUE);
        observing.oneIn(period);
        stacking.allow(Integer.MAX_VALUE);
        metering.allow(1, samplesPerSecond);
        quota.allow(count, 0, 1);
    }

    /** What a sample for the quota's sake costs: such samples are measured as well. */
    private double quotaNanos() {
        return costs.sampleNanos(0) + metering.nanosOfOne();
    }

    private void disarm(int count) {
        price = 0;
        for (int probe = 1; probe < count; probe++) {
            Probes.arm(probe, 0);
        }
        Credit.set(0);
        observing.allow(0);
        stacking.allow(0);
        metering.allow(0, 0);
        quota.allow(count, 0, 1);
        samplesPerSecond = 0;
    }
}
