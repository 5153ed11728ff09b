package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's calls: each whose metadata name a trace is an exchange, until the server has told the application that it is
 * closed.
 *
 * <p>A transport's thread brings the beginnings of many calls, and later their messages; what it hands to a call's
 * executor belongs to that call. Safe for any threads; called by gRPC's woven classes, whatever its transport.
 */
public final class Calls {
    private static final MethodType ASKED = MethodType.methodType(String.class, Object.class);
    private static final ClassValue<MethodHandle> TRACEPARENT = new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> metadata) {
            try {
                return value(metadata, "traceparent");
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                return MethodHandles.empty(ASKED);
            }
        }
    };

    private Calls() {}

    /** A thread brings a call with these metadata; what is returned goes to {@link #brought}. */
    public static @Nullable Object bring(Object metadata) {
        try {
            String traceparent = (String) TRACEPARENT.get(metadata.getClass()).invokeExact(metadata);
            return traceparent == null ? null : begin(traceparent);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private static @Nullable ServedExchange begin(String traceparent) {
        forgetBytes();
        ServedExchange outer = ServedExchanges.current();
        if (outer != null && traceparent.equals(outer.traceparent)) {
            return null; // a servlet's, by which gRPC is spoken
        }
        ServedExchange call = new ServedExchange(traceparent, outer);
        call.call = true;
        ServedExchanges.start(call);
        return call;
    }

    /** The listener is made by which the transport's threads tell of a call. */
    public static void listened(Object listener) {
        try {
            ServedExchange call = ServedExchanges.current();
            if (call != null && call.call && !call.listened) {
                ServedExchange origin = Handover.giver(call);
                call.listened = origin != null && TaskOrigins.put(listener, origin, call.top, origin.pieces);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it ends with the method
        }
    }

    /** The thread has brought it, and goes on to others. */
    public static void brought(@Nullable Object token) {
        ServedExchange call = (ServedExchange) token;
        if (call == null || !call.listened || call.complete) {
            ServedExchanges.exit(call);
            return;
        }
        try {
            ServedExchanges.leaveOpen(call);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // what was observed of it is lost
        }
    }

    /** As {@link #brought}, when the method throws. */
    public static void thrown(Throwable problem, @Nullable Object token) {
        ServedExchanges.thrown(problem, token);
    }

    /** A thread tells a call's listener of something; what is returned goes to {@link Handover#end}. */
    public static @Nullable Object tell(Object listener) {
        try {
            return resume(TaskOrigins.find(listener));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** A thread tells a call's listener that it is closed; as {@link #tell}. */
    public static @Nullable Object close(Object listener) {
        try {
            TaskOrigins.Entry call = TaskOrigins.find(listener);
            // a call within another has no exchange of its own, and its end isn't the other's
            return call == null ? Handover.aside(false) : resume(call);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private static @Nullable ServedExchange resume(TaskOrigins.@Nullable Entry call) {
        ServedExchange origin = call == null ? null : call.origin;
        if (call == null || origin == null) {
            return null;
        }
        forgetBytes();
        return Handover.begin(origin, call.top, call.pieces);
    }

    /** The application has been told that the call is closed for which this thread works. */
    public static void closed() {
        try {
            ServedExchange current = ServedExchanges.current();
            ServedExchange call = current == null || current.origin == null ? current : current.origin;
            if (call != null && call.call) {
                call.completed();
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it isn't told of
        }
    }

    /** What the thread has read was no request, but pieces of calls. */
    private static void forgetBytes() {
        ServedExchange current = ServedExchanges.current();
        if (current != null && current.connection != null && !current.entered && current.traceparent == null) {
            ServedExchanges.drop(current);
        }
    }

    /** {@code (Object)String}: what metadata of that type have under a name, of which they make a key first. */
    private static MethodHandle value(Class<?> metadata, String name) throws ReflectiveOperationException {
        ClassLoader loader = metadata.getClassLoader();
        Class<?> key = Class.forName(metadata.getName() + "$Key", true, loader);
        Class<?> marshaller = Class.forName(metadata.getName() + "$AsciiMarshaller", false, loader);
        Object text = metadata.getField("ASCII_STRING_MARSHALLER").get(null);
        Object named = key.getMethod("of", String.class, marshaller).invoke(null, name, text);
        MethodHandle get = MethodHandles.publicLookup().unreflect(metadata.getMethod("get", key));
        return MethodHandles.insertArguments(get, 1, named).asType(ASKED);
    }
}
