package dev.understudy.relay.control;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGTERM and SIGINT as requests: the first to stop in good order, each further one to hurry. Without it the JVM would
 * end by itself, with exit code 143, and take no notice of a second signal.
 *
 * <p>{@code sun.misc.Signal}, in the JDK's module {@code jdk.unsupported}, is reached by reflection, since javac warns
 * of it; where it is missing the signals do what they did. Thread-safe.
 */
public final class StopSignal implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("TERM", "INT");
    private static final List<String> OF_A_GROUP = List.of("TERM", "INT", "HUP");
    private static final Logger LOG = LoggerFactory.getLogger(StopSignal.class);

    private final Map<Object, Object> before = new LinkedHashMap<>();

    private StopSignal() {}

    /** Runs {@code stop} at the first signal and {@code hurry} at each that follows, on threads of the JVM. */
    public static StopSignal on(Runnable stop, Runnable hurry) {
        AtomicInteger received = new AtomicInteger();
        return take(SIGNALS, () -> (received.getAndIncrement() == 0 ? stop : hurry).run());
    }

    /** Takes no notice of them, nor of a terminal that is closed: for a process that another one ends. */
    public static StopSignal ignored() {
        return take(OF_A_GROUP, () -> {});
    }

    private static StopSignal take(List<String> names, Runnable action) {
        StopSignal signals = new StopSignal();
        try {
            for (String name : names) {
                signals.take(name, action);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException notThere) {
            LOG.info("signals end the process as the JVM does it: {}", notThere.toString());
        }
        return signals;
    }

    private void take(String name, Runnable action) throws ReflectiveOperationException {
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Object signal =
                Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
        Object handler = Proxy.newProxyInstance(
                StopSignal.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "handle" -> {
                            action.run();
                            yield null;
                        }
                        case "equals" -> self == arguments[0];
                        case "hashCode" -> System.identityHashCode(self);
                        default -> "StopSignal";
                    };
                });
        before.put(signal, set(signal, handler));
    }

    private static Object set(Object signal, Object handler) throws ReflectiveOperationException {
        try {
            return signal.getClass()
                    .getMethod("handle", signal.getClass(), Class.forName("sun.misc.SignalHandler"))
                    .invoke(null, signal, handler);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof IllegalArgumentException taken) {
                throw taken; // the JVM was started with -Xrs
            }
            throw refused;
        }
    }

    /** Lets the signals do what they did before. */
    @Override
    public void close() {
        before.forEach((signal, handler) -> {
            try {
                set(signal, handler);
            } catch (ReflectiveOperationException | IllegalArgumentException impossible) {
                LOG.warn("a signal's handler stays: {}", impossible.toString());
            }
        });
    }
}
