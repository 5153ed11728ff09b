package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Gates;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Closes the gates of classes that are called so often that counting alone costs more than half of the budget, and
 * opens them again later to look.
 *
 * <p>Closing and opening throw compiled code away, so for the budget's sake both happen at most once a second, all
 * gates in one batch, and a class that had to be closed again stays closed twice as long, up to ten minutes. Classes
 * with a probe that the operator has armed are closed last, and opened when it is armed. Classes that another agent
 * looks at stay closed, and those all of whose probes the operator has off; probes that are off behind an open gate are
 * left out by it. Guarded by the {@link Governor}.
 */
final class GateKeeper {
    static final long LOOK_NANOS = 1_000_000_000L;

    private static final long SHORTEST = 30 * LOOK_NANOS;
    private static final int MOST_DOUBLINGS = 4;
    /** However small the budget, counting may cost half of this, as a share of one core. */
    private static final double LEAST = 0.02;

    private static final long LASTING = 3 * LOOK_NANOS;
    private static final int[] NONE = {};

    private double max;
    private final IntUnaryOperator gateOf;
    private final Stances stances;
    private final double[] share = new double[Gates.CAPACITY];
    private final long[] opensAt = new long[Gates.CAPACITY];
    private final byte[] closings = new byte[Gates.CAPACITY];
    private final boolean[] spared = new boolean[Gates.CAPACITY];
    private final boolean[] closed = new boolean[Gates.CAPACITY];
    private final BitSet elsewhere = new BitSet();
    /** By gate the probes that the operator has off, ascending. */
    private final Map<Integer, int[]> off = new HashMap<>();
    /** The gates of classes with a probe that he hasn't. */
    private final BitSet wanted = new BitSet();
    /** What the gates leave out now, as {@link #off}. */
    private Map<Integer, int[]> leftOut = Map.of();
    /** Those that stay closed whatever their calls cost. */
    private BitSet shut = new BitSet();

    private IntPredicate others = probe -> false;
    private int shared = 1;
    private long lookedAt;
    /** The most that the budget was of late. */
    private double lately;

    private long latelyAt;
    private int closedNow;

    /**
     * A keeper that has closed nothing.
     *
     * @param max the largest budget, as a share of one core
     * @param gateOf a probe's gate
     * @param stances what the operator wants of probes
     */
    GateKeeper(double max, IntUnaryOperator gateOf, Stances stances, long now) {
        this.max = max;
        this.gateOf = gateOf;
        this.stances = stances;
        this.lookedAt = now;
        this.lately = max;
        this.latelyAt = now;
    }

    /** The largest budget is another one from now on; if {@code all}, what was closed for its cost is opened. */
    void limit(double newMax, boolean all, long now) {
        max = newMax;
        if (all) {
            Arrays.fill(opensAt, now);
            open(now);
        }
    }

    /** How many gates are closed. */
    int closed() {
        return closedNow;
    }

    /** Whether the probe's gate is closed. */
    boolean isClosed(int probe) {
        int gate = gateOf.applyAsInt(probe);
        return closed[gate] || shut.get(gate);
    }

    /**
     * From now on other agents look at the classes of those probes; {@code probes} is the smallest number no probe has
     * yet.
     */
    void part(IntPredicate ofOthers, int probes) {
        others = ofOthers;
        shareAnew(probes);
    }

    private void shareAnew(int probes) {
        elsewhere.clear();
        off.clear();
        wanted.clear();
        shared = 1;
        share(probes);
    }

    /** Closes the gates of classes that have come and that others look at, or all of whose probes are off. */
    void share(int probes) {
        if (shared >= probes) {
            return;
        }
        for (; shared < probes; shared++) {
            int gate = gateOf.applyAsInt(shared);
            elsewhere.set(gate, others.test(shared));
            if (stances.of(shared) == Stance.OFF) {
                off.merge(gate, new int[] {shared}, GateKeeper::both);
            } else {
                wanted.set(gate);
            }
        }
        BitSet before = shut;
        leaveOut();
        shut = new BitSet();
        off.keySet().forEach(shut::set);
        shut.andNot(wanted);
        shut.or(elsewhere);
        BitSet away = (BitSet) shut.clone();
        away.andNot(before);
        before.andNot(shut);
        Gates.set(false, away.stream().toArray());
        Gates.set(true, before.stream().filter(gate -> !closed[gate]).toArray());
    }

    /** Has the gates leave out what is off, as far as they don't yet. */
    private void leaveOut() {
        Map<Integer, int[]> changed = new HashMap<>(off);
        leftOut.keySet().forEach(gate -> changed.putIfAbsent(gate, NONE));
        changed.entrySet().removeIf(one -> Arrays.equals(one.getValue(), leftOut.getOrDefault(one.getKey(), NONE)));
        Gates.leaveOut(changed);
        leftOut = Map.copyOf(off);
    }

    private static int[] both(int[] some, int[] more) {
        int[] both = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, both, some.length, more.length);
        return both;
    }

    /**
     * The operator wants something else of probes: the gates of those that are armed are opened with the next look, if
     * not before.
     */
    void steered(int probes, long now) {
        shareAnew(probes);
        for (int probe = 1; probe < probes; probe++) {
            if (stances.of(probe) == Stance.ARMED) {
                opensAt[gateOf.applyAsInt(probe)] = now;
            }
        }
    }

    /** Once a second closes and opens what has to be. */
    void look(int probes, Rates rates, double countNanos, double budget, long now) {
        if (budget >= lately || now - latelyAt > LASTING) {
            lately = budget;
            latelyAt = now;
        }
        if (now - lookedAt < LOOK_NANOS) {
            return;
        }
        lookedAt = now;
        open(now);
        double limit = Math.min(max, Math.max(LEAST, lately)) / 2;
        double counting = counting(probes, rates, countNanos);
        if (counting > limit) {
            close(counting - limit / 2, now);
        }
    }

    private double counting(int probes, Rates rates, double countNanos) {
        Arrays.fill(share, 0);
        Arrays.fill(spared, false);
        double all = 0;
        for (int probe = 1; probe < probes; probe++) {
            int gate = gateOf.applyAsInt(probe);
            if (!closed[gate] && !shut.get(gate)) {
                double cost = rates.perSecond(probe) * countNanos / 1e9;
                share[gate] += cost;
                spared[gate] |= stances.of(probe) == Stance.ARMED;
                all += cost;
            }
        }
        return all;
    }

    private void close(double tooMuch, long now) {
        int[] gates = new int[Gates.CAPACITY];
        int count = 0;
        for (double left = tooMuch; left > 0; count++) {
            int dearest = dearest(false);
            dearest = share[dearest] > 0 && !spared[dearest] ? dearest : dearest(true);
            if (share[dearest] == 0) {
                break;
            }
            left -= share[dearest];
            share[dearest] = 0;
            closed[dearest] = true;
            opensAt[dearest] = now + (SHORTEST << closings[dearest]);
            closings[dearest] = (byte) Math.min(MOST_DOUBLINGS, closings[dearest] + 1);
            gates[count] = dearest;
        }
        closedNow += count;
        Gates.set(false, Arrays.copyOf(gates, count));
    }

    /** The dearest gate, those that are spared left out or not; gate 0 if none costs anything. */
    private int dearest(boolean alsoSpared) {
        int dearest = 0;
        double most = 0;
        for (int gate = 0; gate < share.length; gate++) {
            if (share[gate] > most && (alsoSpared || !spared[gate])) {
                dearest = gate;
                most = share[gate];
            }
        }
        return dearest;
    }

    private void open(long now) {
        if (closedNow == 0) {
            return;
        }
        int[] gates = new int[closedNow];
        int count = 0;
        for (int gate = 0; gate < closed.length; gate++) {
            if (closed[gate] && now - opensAt[gate] >= 0) {
                closed[gate] = false;
                gates[count++] = gate;
            }
        }
        closedNow -= count;
        Gates.set(
                true,
                Arrays.stream(gates, 0, count).filter(gate -> !shut.get(gate)).toArray());
    }
}
