package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges of servers that OpenTelemetry's agent knows and ours doesn't: each begins where a span of such a server,
 * whose request has brought a trace, becomes current on a thread that works on nothing traced, and ends with that span.
 *
 * <p>Where the thread has read the request's bytes, that exchange is told its trace instead, and ends as it would. A
 * server that we know and that is entered later takes either over. Called by the other agent's woven classes; safe for
 * any threads.
 */
public final class OtherServers {
    static final int PLACES = 1024;

    private static final int TRIES = 4;
    private static final MethodType GET = MethodType.methodType(Object.class, Object.class);
    private static final MethodType ASK = MethodType.methodType(boolean.class, Object.class);
    private static final MethodType TEXT = MethodType.methodType(String.class, Object.class);
    /** Those that were begun, by their spans. */
    private static final AtomicReferenceArray<@Nullable ServedExchange> AT = new AtomicReferenceArray<>(PLACES);

    /** {@code (Object)Object} of a span's type: what stands in it beside what the API shows. */
    private static final ClassValue<MethodHandle> KIND = getter("getKind");

    private static final ClassValue<MethodHandle> PARENT = getter("getParentSpanContext");

    private static volatile @Nullable OtherServers there;

    private final MethodHandle currentRoot;
    private final MethodHandle rootOf;
    private final MethodHandle spanOf;
    private final MethodHandle isRecording;
    private final MethodHandle isRemote;
    private final MethodHandle isSampled;
    private final MethodHandle trace;
    private final MethodHandle id;

    private OtherServers(Class<?> context, Class<?> span, Class<?> roots) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle root = lookup.unreflect(roots.getMethod("fromContextOrNull", context));
        MethodHandle current = lookup.unreflect(context.getMethod("current"));
        Class<?> spanContext = span.getMethod("getSpanContext").getReturnType();
        currentRoot = MethodHandles.filterReturnValue(current, root).asType(MethodType.methodType(Object.class));
        rootOf = root.asType(GET);
        spanOf = lookup.unreflect(span.getMethod("fromContextOrNull", context)).asType(GET);
        isRecording = lookup.unreflect(span.getMethod("isRecording")).asType(ASK);
        isRemote = lookup.unreflect(spanContext.getMethod("isRemote")).asType(ASK);
        isSampled = lookup.unreflect(spanContext.getMethod("isSampled")).asType(ASK);
        trace = lookup.unreflect(spanContext.getMethod("getTraceId")).asType(TEXT);
        id = lookup.unreflect(spanContext.getMethod("getSpanId")).asType(TEXT);
    }

    /**
     * Asks these types from now on; none if one is null.
     *
     * @param context what a thread has, with the current one
     * @param span the API's span
     * @param roots tells of a context the first span that was begun in this JVM
     */
    static void use(@Nullable Class<?> context, @Nullable Class<?> span, @Nullable Class<?> roots)
            throws ReflectiveOperationException {
        there = context == null || span == null || roots == null ? null : new OtherServers(context, span, roots);
    }

    /** The thread has another context than before. */
    public static void changed() {
        OtherServers other = there;
        if (other == null) {
            return;
        }
        try {
            other.follow();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it begins nothing
        }
    }

    /** The span of that context is about to end, with that problem if any. */
    public static void ended(@Nullable Object context, @Nullable Throwable problem) {
        OtherServers other = there;
        if (other == null || context == null) {
            return;
        }
        try {
            Object root = (Object) other.rootOf.invokeExact(context);
            if (root != null && root == (Object) other.spanOf.invokeExact(context)) {
                ServedExchange exchange = forget(root);
                if (exchange != null && exchange.span != null && problem != null) {
                    exchange.escapes(problem);
                }
                complete(exchange);
            }
        } catch (Throwable unknown) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = unknown;
            // it ends when its place is needed
        }
    }

    private void follow() throws Throwable {
        Object root = (Object) currentRoot.invokeExact();
        ServedExchange at = ServedExchanges.current();
        if (at != null && at.span != null) {
            if (at.span == root) {
                return;
            }
            leave(at);
            at = ServedExchanges.current();
        }
        if (root == null || (at != null && !isToBeTold(at)) || !isOpenServer(root)) {
            return;
        }
        Object request = (Object) PARENT.get(root.getClass()).invokeExact(root);
        if (request != null && (boolean) isRemote.invokeExact(request) && (boolean) isSampled.invokeExact(request)) {
            begin(root, at, header(request));
        }
    }

    /** Whether its thread has read bytes of which nobody has said yet what request they are. */
    private static boolean isToBeTold(ServedExchange at) {
        return at.origin == null && at.connection != null && at.traceparent == null;
    }

    private boolean isOpenServer(Object span) throws Throwable {
        if (!(boolean) isRecording.invokeExact(span)) {
            return false;
        }
        Object kind = (Object) KIND.get(span.getClass()).invokeExact(span);
        return kind instanceof Enum && ((Enum<?>) kind).name().equals("SERVER");
    }

    /** As the request has brought it, by which the sidecar knows it. */
    private String header(Object request) throws Throwable {
        return String.join("-", "00", (String) trace.invokeExact(request), (String) id.invokeExact(request), "01");
    }

    private void begin(Object span, @Nullable ServedExchange at, String header) throws Throwable {
        ServedExchange open = find(span);
        if (open != null) {
            ServedExchange part = Handover.begin(open, null, open.pieces);
            if (part != null) {
                part.span = span;
            }
        } else if (at != null) {
            at.told(header);
            at.lent = true;
        } else {
            ServedExchange exchange = new ServedExchange(header, null);
            exchange.span = span;
            exchange.lent = true;
            if (remember(exchange)) {
                ServedExchanges.start(exchange);
            }
        }
    }

    private static void leave(ServedExchange at) {
        if (at.origin != null) {
            Handover.end(at);
        } else if (at.complete) {
            ServedExchanges.exit(at);
        } else {
            ServedExchanges.leaveOpen(at);
        }
    }

    /** False if there is no room. */
    private boolean remember(ServedExchange exchange) throws Throwable {
        for (int i = 0; i < TRIES; i++) {
            int place = place(exchange.span, i);
            ServedExchange before = AT.get(place);
            boolean free = before == null || before.ended || !isOpen(before);
            if (free && AT.compareAndSet(place, before, exchange)) {
                complete(before);
                return true;
            }
        }
        return false;
    }

    private boolean isOpen(ServedExchange exchange) throws Throwable {
        Object span = exchange.span;
        return span != null && (boolean) isRecording.invokeExact(span);
    }

    private static @Nullable ServedExchange find(Object span) {
        for (int i = 0; i < TRIES; i++) {
            ServedExchange exchange = AT.get(place(span, i));
            if (exchange != null && exchange.span == span && !exchange.ended) {
                return exchange;
            }
        }
        return null;
    }

    private static @Nullable ServedExchange forget(Object span) {
        for (int i = 0; i < TRIES; i++) {
            int place = place(span, i);
            ServedExchange exchange = AT.get(place);
            if (exchange != null && exchange.span == span) {
                AT.compareAndSet(place, exchange, null);
                return exchange;
            }
        }
        return null;
    }

    private static void complete(@Nullable ServedExchange exchange) {
        if (exchange != null && exchange.span != null && !exchange.ended) {
            exchange.completed();
        }
    }

    private static int place(@Nullable Object span, int which) {
        return (((System.identityHashCode(span) * 0x9E3779B9) >>> 16) + which) & (PLACES - 1);
    }

    private static ClassValue<MethodHandle> getter(String name) {
        return new ClassValue<>() {
            @Override
            protected MethodHandle computeValue(Class<?> span) {
                try {
                    for (Class<?> type = span; type != null; type = type.getSuperclass()) {
                        MethodHandle found = declared(type, name);
                        if (found != null) {
                            return found.asType(GET);
                        }
                    }
                } catch (Throwable unknown) {
                    AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = unknown;
                    // as of a type that has none
                }
                return MethodHandles.empty(GET);
            }
        };
    }

    /** The type itself may be its library's own, what it fills in isn't. */
    private static @Nullable MethodHandle declared(Class<?> type, String name) throws IllegalAccessException {
        for (Class<?> one : type.getInterfaces()) {
            try {
                return MethodHandles.publicLookup().unreflect(one.getMethod(name));
            } catch (NoSuchMethodException another) {
                // of the next
            }
        }
        return null;
    }
}
