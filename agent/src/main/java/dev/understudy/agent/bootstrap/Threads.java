package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * What the running thread is, and its id, without calling a method that the application could have overridden.
 *
 * <p>{@code Thread.getId} can be overridden before JDK 19, and such an override could be woven itself.
 */
final class Threads {
    private static final MethodHandle ID = threadId();

    /** What virtual threads are; null before there were any. */
    private static final @Nullable Class<?> VIRTUAL = virtual();

    private Threads() {}

    /** Whether the running one is virtual. */
    static boolean isVirtual() {
        return VIRTUAL != null && VIRTUAL.isInstance(Thread.currentThread());
    }

    /** The lower half of the running one's id. */
    static int id() {
        return (int) id(Thread.currentThread());
    }

    static long id(Thread thread) {
        try {
            return (long) ID.invokeExact(thread);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return 0;
        }
    }

    private static @Nullable Class<?> virtual() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException before21) {
            return null;
        }
    }

    private static MethodHandle threadId() {
        MethodType type = MethodType.methodType(long.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            return lookup.findVirtual(Thread.class, "threadId", type);
        } catch (ReflectiveOperationException before19) {
            return beforeThreadId(lookup, type);
        }
    }

    private static MethodHandle beforeThreadId(MethodHandles.Lookup lookup, MethodType type) {
        try {
            // java.lang is open to us once the agent has installed itself; in unit tests it isn't
            return MethodHandles.privateLookupIn(Thread.class, lookup)
                    .findSpecial(Thread.class, "getId", type, Thread.class);
        } catch (ReflectiveOperationException closed) {
            try {
                return lookup.findVirtual(Thread.class, "getId", type);
            } catch (ReflectiveOperationException impossible) {
                throw new LinkageError("Thread.getId", impossible);
            }
        }
    }
}
