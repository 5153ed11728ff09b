package dev.understudy.agent.bootstrap;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The gates: one {@link MutableCallSite} per woven class, shared by all of its place-holders.
 *
 * <p>Closed, a place-holder is the constant null, which the JIT removes together with the exit that depends on it. So
 * it is, behind an open gate, for the probes that aren't to be seen: which these are is a constant of the gate's
 * target, and a place-holder's number one of its own. Opening, closing and that invalidate compiled code, so they are
 * done rarely and in batches; what is decided often stands in the plain arrays of {@link Probes}.
 */
public final class Gates {
    /** How many classes can be woven. */
    public static final int CAPACITY = 1 << 14;

    private static final MethodType TYPE = MethodType.methodType(Object.class, int.class);
    private static final MethodHandle CLOSED = MethodHandles.empty(TYPE);
    /** Of a place-holder whose gate can't be had. */
    private static final CallSite NEVER = new ConstantCallSite(CLOSED);

    private static final MethodHandle OPEN = handle(Probes.class, "seen", TYPE);
    private static final MethodHandle AMONG =
            handle(Gates.class, "isAmong", MethodType.methodType(boolean.class, int.class, long.class, int.class));
    private static final MethodHandle UNLESS_AMONG = handle(
            Gates.class, "seenUnlessAmong", MethodType.methodType(Object.class, int.class, long.class, int.class));
    /** Those that were linked. Guarded by this class. */
    private static final @Nullable MutableCallSite[] SITES = new @Nullable MutableCallSite[CAPACITY];
    /** Guarded by this class. */
    private static final boolean[] SHUT = new boolean[CAPACITY];
    /** The target of each gate while it is open; null for {@link #OPEN}. Guarded by this class. */
    private static final @Nullable MethodHandle[] SELECTIVE = new @Nullable MethodHandle[CAPACITY];

    private static final AtomicInteger EPOCH = new AtomicInteger();

    private Gates() {}

    /**
     * Bootstrap method of every place-holder; a gate is open when it is first linked.
     *
     * @param gate the number of the class's gate in its lower half
     */
    public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type, long gate) {
        try {
            MutableCallSite site = site((int) gate);
            return type.equals(TYPE) ? site : new ConstantCallSite(MethodHandles.empty(type));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return NEVER;
        }
    }

    /** Opens or closes the given gates; returns when every thread will see it. */
    public static synchronized void set(boolean open, int... gates) {
        int[] changed = new int[gates.length];
        int count = 0;
        for (int gate : gates) {
            if (SHUT[gate] == open) {
                SHUT[gate] = !open;
                changed[count++] = gate;
            }
        }
        retarget(Arrays.copyOf(changed, count));
    }

    /**
     * From now on these are the probes of the given gates that aren't seen even while their gate is open; returns when
     * every thread will see it.
     *
     * @param unseen by gate the probes' numbers, ascending
     */
    public static synchronized void leaveOut(Map<Integer, int[]> unseen) {
        unseen.forEach((gate, probes) -> SELECTIVE[gate] = selective(probes));
        retarget(unseen.keySet().stream().mapToInt(gate -> gate).toArray());
    }

    private static void retarget(int... gates) {
        if (gates.length == 0) {
            return;
        }
        MutableCallSite[] linked = new MutableCallSite[gates.length];
        int count = 0;
        changed();
        for (int gate : gates) {
            MutableCallSite site = SITES[gate];
            if (site != null) {
                site.setTarget(target(gate));
                linked[count++] = site;
            }
        }
        changed();
        MutableCallSite.syncAll(Arrays.copyOf(linked, count));
    }

    private static MethodHandle target(int gate) {
        MethodHandle selective = SELECTIVE[gate];
        return SHUT[gate] ? CLOSED : selective == null ? OPEN : selective;
    }

    /** As {@link #OPEN}, but closed to these; null if there are none. */
    private static @Nullable MethodHandle selective(int[] unseen) {
        MethodHandle selective = null;
        for (int i = 0; i < unseen.length; ) {
            int first = unseen[i];
            long mask = 0;
            while (i < unseen.length && unseen[i] - first < Long.SIZE) {
                mask |= 1L << (unseen[i++] - first);
            }
            selective = selective == null
                    ? MethodHandles.insertArguments(UNLESS_AMONG, 0, first, mask)
                    : MethodHandles.guardWithTest(
                            MethodHandles.insertArguments(AMONG, 0, first, mask), CLOSED, selective);
        }
        return selective;
    }

    /** Called by its name. */
    static boolean isAmong(int first, long mask, int probe) {
        int place = probe - first;
        return place >= 0 && place < Long.SIZE && (mask >>> place & 1) != 0;
    }

    /** Called by its name, since the JIT copies one short method with less ado than three handles. */
    static @Nullable Object seenUnlessAmong(int first, long mask, int probe) {
        return isAmong(first, mask, probe) ? null : Probes.seen(probe);
    }

    /** What calls are seen changes: {@link #epoch} does before it and after it. */
    static void changed() {
        EPOCH.incrementAndGet();
    }

    /** Changes whenever a gate is opened or closed, and when a probe isn't to be seen any more, or again. */
    public static int epoch() {
        return EPOCH.get();
    }

    /** Whether the gate is open. */
    public static synchronized boolean isOpen(int gate) {
        return !SHUT[gate];
    }

    private static synchronized MutableCallSite site(int gate) {
        MutableCallSite site = SITES[gate];
        if (site == null) {
            site = new MutableCallSite(target(gate));
            SITES[gate] = site;
        }
        return site;
    }

    private static MethodHandle handle(Class<?> of, String name, MethodType type) {
        try {
            return MethodHandles.lookup().findStatic(of, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError(of.getSimpleName() + '.' + name, impossible);
        }
    }
}
