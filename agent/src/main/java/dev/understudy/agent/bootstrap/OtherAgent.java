package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The trace that OpenTelemetry's agent, if it is in the same JVM, has for what a thread does.
 *
 * <p>It knows servers and libraries that we don't. Asked for sampled calls alone that belong to no traced exchange of
 * ours; what it says makes them spans of its trace, and no exchange, which {@link OtherServers} begins. Safe for any
 * threads.
 */
public final class OtherAgent {
    /**
     * What its agent makes of the API's names, for the bootstrap class loader. Not one constant, which the building of
     * the agent's jar would take for a name of its own libraries.
     */
    private static final String SHADED = String.join(".", "io", "opentelemetry.javaagent.shaded.");

    private static final String API = SHADED + String.join(".", "io", "opentelemetry.api.");

    private static final int TRIES = 600;
    private static final int PLACES = 1024;
    /** What counts a span's calls, by its trace. */
    private static final AtomicReferenceArray<@Nullable ServedExchange> KNOWN = new AtomicReferenceArray<>(PLACES);

    private static volatile @Nullable OtherAgent there;
    private static int tries;

    private final MethodHandle context;
    private final MethodHandle isSampled;
    private final MethodHandle trace;
    private final MethodHandle span;

    private OtherAgent(Class<?> spanType) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Method getContext = spanType.getMethod("getSpanContext");
        Class<?> contextType = getContext.getReturnType();
        MethodHandle current = lookup.unreflect(spanType.getMethod("current"));
        context = MethodHandles.filterReturnValue(current, lookup.unreflect(getContext))
                .asType(MethodType.methodType(Object.class));
        isSampled = of(lookup, contextType, "isSampled", boolean.class);
        trace = of(lookup, contextType, "getTraceId", String.class);
        span = of(lookup, contextType, "getSpanId", String.class);
    }

    private static MethodHandle of(MethodHandles.Lookup lookup, Class<?> type, String getter, Class<?> returned)
            throws ReflectiveOperationException {
        return lookup.unreflect(type.getMethod(getter)).asType(MethodType.methodType(returned, Object.class));
    }

    /** Looks for it, for some time; it may start after us. By one thread. */
    public static void find() {
        find(null);
    }

    static void find(@Nullable ClassLoader loader) {
        if (there != null || tries >= TRIES) {
            return;
        }
        tries++;
        try {
            use(Class.forName(API + "trace.Span", false, loader));
            findServers(loader);
        } catch (ReflectiveOperationException | LinkageError no) {
            // it isn't there, or not one that we know
        }
    }

    /** Only if it has what is woven there to hear of a span's end. */
    private static void findServers(@Nullable ClassLoader loader) throws ReflectiveOperationException {
        String house = SHADED + "instrumentation.api.instrumenter.";
        Class<?> context =
                Class.forName(SHADED + String.join(".", "io", "opentelemetry.context.Context"), false, loader);
        Class.forName(house + "Instrumenter", false, loader)
                .getMethod("end", context, Object.class, Object.class, Throwable.class);
        OtherServers.use(
                context,
                Class.forName(API + "trace.Span", false, loader),
                Class.forName(house + "LocalRootSpan", false, loader));
    }

    /** Asks spans of that type from now on; none if null. */
    static void use(@Nullable Class<?> spanType) throws ReflectiveOperationException {
        there = spanType == null ? null : new OtherAgent(spanType);
    }

    /** Runs work of our own, of whose requests the other makes no spans if it is there by now. */
    public static void untold(Runnable work) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            MethodHandle untold = MethodHandles.publicLookup()
                    .findStatic(
                            Class.forName(API + "internal.InstrumentationUtil", false, null),
                            "suppressInstrumentation",
                            MethodType.methodType(void.class, Runnable.class));
            Runnable once = () -> {
                begun.set(true);
                work.run();
            };
            untold.invokeExact(once);
        } catch (RuntimeException | Error problem) {
            if (begun.get()) {
                throw problem;
            }
        } catch (Throwable no) {
            // it isn't there, or not one that we know
        }
        if (!begun.get()) {
            work.run();
        }
    }

    /** What this thread works on, for one call; null if nobody knows or it isn't to be traced. */
    static @Nullable ServedExchange current() {
        OtherAgent other = there;
        try {
            return other == null ? null : other.now();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private @Nullable ServedExchange now() throws Throwable {
        Object now = (Object) context.invokeExact();
        if (!(boolean) isSampled.invokeExact(now)) {
            return null;
        }
        String header = String.join("-", "00", (String) trace.invokeExact(now), (String) span.invokeExact(now), "01");
        int place = (header.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - 10);
        ServedExchange origin = KNOWN.get(place);
        if (origin == null || !header.equals(origin.traceparent)) {
            origin = new ServedExchange(header, null);
            KNOWN.set(place, origin);
        }
        return new ServedExchange(origin, null, null);
    }
}
