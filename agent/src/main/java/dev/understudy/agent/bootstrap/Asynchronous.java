package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Knows of one Servlet API's requests whether they go on when the servlet's method has returned, and hears when they
 * are over.
 *
 * <p>It listens as the application could, by the API alone. Where a request is dispatched again, it is known by its
 * trace, out of a few places; where these are taken it counts as another. Safe for any threads; never waits.
 */
final class Asynchronous {
    static final int PLACES = 1024;

    private static final int TRIES = 4;
    /** Those that go on, by their trace. */
    private static final AtomicReferenceArray<@Nullable ServedExchange> AT = new AtomicReferenceArray<>(PLACES);

    private static boolean used;

    private final MethodHandle isStarted;
    private final MethodHandle context;
    private final MethodHandle listen;
    private final MethodHandle contextOf;
    private final Class<?> listener;

    private Asynchronous(Class<?> request) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Method getContext = request.getMethod("getAsyncContext");
        Class<?> contextType = getContext.getReturnType();
        String house = contextType.getName().substring(0, contextType.getName().lastIndexOf('.') + 1);
        listener = Class.forName(house + "AsyncListener", false, request.getClassLoader());
        Class<?> event = Class.forName(house + "AsyncEvent", false, request.getClassLoader());
        MethodType toContext = MethodType.methodType(Object.class, Object.class);
        isStarted = lookup.unreflect(request.getMethod("isAsyncStarted"))
                .asType(MethodType.methodType(boolean.class, Object.class));
        context = lookup.unreflect(getContext).asType(toContext);
        contextOf = lookup.unreflect(event.getMethod("getAsyncContext")).asType(toContext);
        listen = lookup.unreflect(contextType.getMethod("addListener", listener))
                .asType(MethodType.methodType(void.class, Object.class, Object.class));
    }

    /** Null if requests of that type are over with the method. */
    static @Nullable Asynchronous of(Class<?> request) {
        try {
            Asynchronous servlets = new Asynchronous(request);
            Proxy.newProxyInstance(
                    servlets.listener.getClassLoader(),
                    new Class<?>[] {servlets.listener},
                    (proxy, method, arguments) -> null); // its class is made now, not in a request
            return servlets;
        } catch (ReflectiveOperationException without) {
            return null;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /**
     * Whether the exchange's request goes on, for which this thread does nothing more; it ends when that is complete.
     */
    boolean leaves(ServedExchange exchange) {
        try {
            Object request = exchange.request;
            exchange.request = null;
            if (request == null || exchange.ended || !(boolean) isStarted.invokeExact(request)) {
                return false;
            }
            Object waits = (Object) context.invokeExact(request);
            AsyncExchange left = ServedExchanges.leaveOpen(exchange);
            remember(exchange);
            try {
                listen(waits, exchange, left);
            } catch (IllegalStateException over) {
                left.end();
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                left.end();
            }
            return true;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return false;
        }
    }

    private void listen(Object waits, ServedExchange exchange, AsyncExchange left) throws Throwable {
        Listening heard = new Listening(this, exchange, left);
        Object proxy = Proxy.newProxyInstance(listener.getClassLoader(), new Class<?>[] {listener}, heard);
        listen.invokeExact(waits, proxy);
    }

    private static void remember(ServedExchange exchange) {
        String traceparent = exchange.traceparent;
        if (traceparent == null) {
            return;
        }
        used = true;
        for (int i = 0; i < TRIES; i++) {
            int place = place(traceparent, i);
            ServedExchange before = AT.get(place);
            if ((before == null || before.ended) && AT.compareAndSet(place, before, exchange)) {
                if (exchange.ended) {
                    forget(exchange);
                }
                return;
            }
        }
    }

    static void forget(ServedExchange exchange) {
        String traceparent = exchange.traceparent;
        if (!used || traceparent == null) {
            return;
        }
        for (int i = 0; i < TRIES; i++) {
            AT.compareAndSet(place(traceparent, i), exchange, null);
        }
    }

    /** The exchange with that trace that goes on, or null if there is none. */
    static @Nullable ServedExchange find(@Nullable String traceparent) {
        if (!used || traceparent == null) {
            return null;
        }
        for (int i = 0; i < TRIES; i++) {
            ServedExchange exchange = AT.get(place(traceparent, i));
            if (exchange != null && !exchange.ended && traceparent.equals(exchange.traceparent)) {
                return exchange;
            }
        }
        return null;
    }

    /** A task that its container starts for the request: what it throws, the container may tell nobody. */
    static Runnable watched(Runnable task, @Nullable ServedExchange current) {
        ServedExchange exchange = current == null || current.origin == null ? current : current.origin;
        return exchange == null || exchange.ended ? task : new Watched(task, exchange);
    }

    private static int place(String traceparent, int which) {
        return (((traceparent.hashCode() * 0x9E3779B9) >>> 16) + which) & (PLACES - 1);
    }

    /** Tells what escapes. */
    private static final class Watched implements Runnable {
        private final Runnable task;
        private final ServedExchange exchange;

        Watched(Runnable task, ServedExchange exchange) {
            this.task = task;
            this.exchange = exchange;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable problem) {
                exchange.escapes(problem);
                throw problem;
            }
        }
    }

    /** Hears of one request. */
    private static final class Listening implements InvocationHandler {
        private final Asynchronous servlets;
        private final ServedExchange exchange;
        private final AsyncExchange left;

        Listening(Asynchronous servlets, ServedExchange exchange, AsyncExchange left) {
            this.servlets = servlets;
            this.exchange = exchange;
            this.left = left;
        }

        @Override
        @SuppressWarnings("ReferenceEquality")
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
            Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
            switch (method.getName()) {
                case "hashCode":
                    return System.identityHashCode(proxy);
                case "equals":
                    return first == proxy;
                case "toString":
                    return "understudy";
                case "onComplete":
                    over();
                    return null;
                case "onStartAsync":
                    again(proxy, first);
                    return null;
                default:
                    return null;
            }
        }

        private void over() {
            try {
                exchange.completed();
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                // the connection's next request ends it
            }
        }

        /** A new beginning forgets its listeners. */
        private void again(Object proxy, @Nullable Object event) {
            try {
                Object waits = (Object) servlets.contextOf.invokeExact(event);
                servlets.listen.invokeExact(waits, proxy);
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                left.end();
            }
        }
    }
}
