package dev.understudy.agent.bootstrap;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The gates: one {@link MutableCallSite} per woven class, shared by all of its place-holders.
 *
 * <p>Closed, a place-holder is the constant null, which the JIT removes together with the exit that depends on
 * it. Opening or closing invalidates compiled code, so it is done rarely and in batches; what is decided often
 * stands in the plain arrays of {@link Probes}.
 */
public final class Gates {
    /** How many classes can be woven. */
    public static final int CAPACITY = 1 << 14;

    private static final MethodType TYPE = MethodType.methodType(Object.class, int.class);
    private static final MethodHandle CLOSED = MethodHandles.empty(TYPE);
    private static final MethodHandle OPEN = enter();
    private static final AtomicReferenceArray<@Nullable MutableCallSite> SITES = new AtomicReferenceArray<>(CAPACITY);

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
            return new ConstantCallSite(MethodHandles.empty(type));
        }
    }

    /** Opens or closes the given gates; returns when every thread will see it. */
    public static void set(boolean open, int... gates) {
        MethodHandle target = open ? OPEN : CLOSED;
        MutableCallSite[] changed = new MutableCallSite[gates.length];
        int count = 0;
        for (int gate : gates) {
            MutableCallSite site = site(gate);
            if (site.getTarget() != target) {
                changed[count++] = site;
            }
        }
        if (count > 0) {
            changed();
            for (int i = 0; i < count; i++) {
                changed[i].setTarget(target);
            }
            changed();
            MutableCallSite.syncAll(java.util.Arrays.copyOf(changed, count));
        }
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
    public static boolean isOpen(int gate) {
        return site(gate).getTarget() == OPEN;
    }

    private static MutableCallSite site(int gate) {
        MutableCallSite site = SITES.get(gate);
        if (site != null) {
            return site;
        }
        MutableCallSite fresh = new MutableCallSite(OPEN);
        MutableCallSite first = SITES.compareAndExchange(gate, null, fresh);
        return first == null ? fresh : first;
    }

    private static MethodHandle enter() {
        try {
            return MethodHandles.lookup().findStatic(Probes.class, "enter", TYPE);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("Probes.enter", impossible);
        }
    }
}
