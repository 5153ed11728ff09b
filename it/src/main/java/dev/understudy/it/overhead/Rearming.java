package dev.understudy.it.overhead;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * Arms and disarms many probes again and again while another thread calls their methods, and says what either costs.
 *
 * <p>Its arguments are the number of probes, the number of classes, and the name of a class that calls all their
 * methods once ({@link LongUnaryOperator}); the classes are named as that one with a number behind. Prints a name and a
 * figure a line.
 */
public final class Rearming {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int FLIPS = 40;
    /** Long enough that the samples themselves cost nothing. */
    private static final int RARELY = 1 << 24;

    private static final long PHASE = TimeUnit.SECONDS.toNanos(1);

    private final int probes;
    private final LongUnaryOperator all;
    private final Thread caller = new Thread(this::call, "caller");
    private volatile long calls;
    private volatile boolean ended;

    private Rearming(int probes, LongUnaryOperator all) {
        this.probes = probes;
        this.all = all;
    }

    /** Measures. */
    public static void main(String[] arguments) throws Exception {
        Class<?> all = Class.forName(arguments[2]);
        Rearming rearming = new Rearming(Integer.parseInt(arguments[0]), (LongUnaryOperator)
                all.getConstructor().newInstance());
        List<Class<?>> classes = new ArrayList<>();
        for (int n = 0; n < Integer.parseInt(arguments[1]); n++) {
            classes.add(Class.forName(arguments[2] + n));
        }
        rearming.measure(classes);
    }

    private void measure(List<Class<?>> classes) throws Exception {
        Armed.TIMED.set();
        caller.start();
        LockSupport.parkNanos(3 * PHASE);
        Armed.COUNTED.set();
        LockSupport.parkNanos(3 * PHASE);
        print("probes hit", (double) hit());
        print("before", cost());
        double[] flips = new double[FLIPS];
        for (int flip = 0; flip < FLIPS; flip++) {
            long cpu = THREADS.getCurrentThreadCpuTime();
            arm(flip % 2 == 0 ? RARELY : 0);
            flips[flip] = THREADS.getCurrentThreadCpuTime() - cpu;
            LockSupport.parkNanos(PHASE / 20);
        }
        Arrays.sort(flips);
        print("flip", flips[FLIPS / 2]);
        print("longest flip", flips[FLIPS - 1]);
        print("after", cost());
        arm(RARELY);
        print("armed", cost());
        leaveOut();
        long cpu = THREADS.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        WeavingOnly.instrumentation().retransformClasses(classes.toArray(new Class<?>[0]));
        print("retransformation", (double) (THREADS.getCurrentThreadCpuTime() - cpu));
        print("retransformation wall", (double) (System.nanoTime() - wall));
        print("after retransformation", cost());
        ended = true;
        caller.join();
    }

    /** Takes every second method off and back. */
    private void leaveOut() {
        Map<Integer, int[]> half = new HashMap<>(WeavingOnly.probes());
        half.replaceAll((gate, all) ->
                Arrays.stream(all).filter(probe -> probe % 2 == 0).toArray());
        Map<Integer, int[]> none = new HashMap<>(half);
        none.replaceAll((gate, some) -> new int[0]);
        double[] turns = new double[FLIPS / 4];
        for (int turn = 0; turn < turns.length; turn++) {
            long cpu = THREADS.getCurrentThreadCpuTime();
            Gates.leaveOut(turn % 2 == 0 ? half : none);
            turns[turn] = THREADS.getCurrentThreadCpuTime() - cpu;
            LockSupport.parkNanos(PHASE / 4);
        }
        Arrays.sort(turns);
        print("leaving out", turns[turns.length / 2]);
        print("after leaving out", cost());
        LockSupport.parkNanos(3 * PHASE);
        print("later", cost());
    }

    private void arm(int period) {
        for (int probe = 1; probe <= probes; probe++) {
            Probes.arm(probe, period);
        }
    }

    private long hit() {
        long hit = 0;
        for (int probe = 1; probe <= probes; probe++) {
            hit += Probes.hits(probe) > 0 ? 1 : 0;
        }
        return hit;
    }

    /** CPU nanoseconds of the caller for a round through all methods. */
    private double cost() {
        long before = calls;
        long cpu = THREADS.getThreadCpuTime(caller.getId());
        LockSupport.parkNanos(PHASE);
        return (double) (THREADS.getThreadCpuTime(caller.getId()) - cpu) / Math.max(1, calls - before);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written here only
    private void call() {
        long state = 1;
        while (!ended) {
            state = all.applyAsLong(state);
            calls++;
        }
    }

    private static void print(String name, double figure) {
        System.out.println(name + "\t" + figure);
    }
}
