package dev.understudy.agent.bootstrap;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where a server's threads begin and end their work on an inbound exchange.
 *
 * <p>A woven server class links {@link #link} once; from then on {@link #enter} reads the {@code traceparent}
 * header through a method handle made with that class's own rights, so nothing here depends on a server's API.
 */
public final class ServedExchanges {
    private static final String HEADER = "traceparent";
    private static final MethodHandle NOTHING = MethodHandles.empty(MethodType.methodType(Object.class, Object.class));
    private static final ThreadLocal<ServedExchange> CURRENT = new ThreadLocal<>();
    private static final LongAdder BEGUN = new LongAdder();

    private ServedExchanges() {}

    /**
     * Bootstrap method of a server's entry point.
     *
     * @param name {@code enter} if the method works on the request and ends the exchange with it, {@code tell} if it
     *     only hands the request on
     * @param request the name of the request's type, as the woven class sees it
     * @param getters the names of the methods that lead from the request to the header, separated by a dot: the last
     *     takes a header's name, those before it take nothing and return an object with the next
     */
    public static CallSite link(
            MethodHandles.Lookup caller, String name, MethodType type, String request, String getters) {
        return new ConstantCallSite(entry(caller, name, request, getters));
    }

    /**
     * What {@link #link} links, for class files that are too old for it: found once for each woven class.
     *
     * @param woven the class that calls
     * @param words name, request and getters, separated by spaces
     */
    public static @Nullable Object call(Object handed, Class<?> woven, String words) {
        try {
            MethodHandle entry =
                    Linked.of(woven, words, (caller, word) -> entry(caller, word[0], word[1], word[2]), NOTHING);
            return (Object) entry.invokeExact(handed);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private static MethodHandle entry(MethodHandles.Lookup caller, String name, String request, String getters) {
        MethodHandles.Lookup own = MethodHandles.lookup();
        try {
            Class<?> requestType =
                    Class.forName(request, false, caller.lookupClass().getClassLoader());
            MethodHandle header = Getters.of(caller, requestType, getters, HEADER);
            MethodHandle enter = own.findStatic(
                    ServedExchanges.class,
                    name,
                    MethodType.methodType(
                            Object.class, MethodHandle.class, Class.class, Asynchronous.class, Object.class));
            Asynchronous servlets = Asynchronous.of(requestType);
            return MethodHandles.insertArguments(enter, 0, header, requestType, servlets);
        } catch (ClassNotFoundException without) {
            return NOTHING; // Netty may be there without HTTP
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return NOTHING;
        }
    }

    @SuppressWarnings("unused") // by link
    private static @Nullable Object enter(
            MethodHandle header, Class<?> type, @Nullable Asynchronous servlets, Object request) {
        try {
            if (!type.isInstance(request)) {
                return null;
            }
            ServedExchange exchange = begin((String) header.invokeExact(request));
            if (exchange != null && exchange.origin == null && servlets != null) {
                exchange.servlets = servlets;
                exchange.request = request;
            }
            return exchange;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** The thread's exchange began with reading bytes; now it is known which request they were. */
    @SuppressWarnings("unused") // by link
    private static @Nullable Object tell(
            MethodHandle header, Class<?> type, @Nullable Asynchronous servlets, Object request) {
        try {
            ServedExchange current = CURRENT.get();
            if (current != null && current.connection != null && !current.entered && type.isInstance(request)) {
                told(current, current.connection, (String) header.invokeExact(request));
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it stays without a trace
        }
        return null;
    }

    private static void told(ServedExchange current, ServedConnection connection, @Nullable String traceparent) {
        if (current.traceparent == null) {
            current.told(traceparent);
        } else if (!current.traceparent.equals(traceparent)) {
            // the next request was among the same bytes
            end(current, null);
            ServedExchange next = new ServedExchange(connection, false);
            next.told(traceparent);
            start(next);
        }
    }

    /** Begins an exchange on this thread unless it already works on the same one; null then. */
    static @Nullable ServedExchange begin(@Nullable String traceparent) {
        ServedExchange outer = CURRENT.get();
        while (outer != null && outer.origin != null && !Objects.equals(outer.traceparent, traceparent)) {
            Handover.end(outer); // the task reads requests of its own
            outer = CURRENT.get();
        }
        if (outer != null && Objects.equals(outer.traceparent, traceparent)) {
            if (!outer.lent) {
                return null;
            }
            outer.taken();
            return outer;
        }
        if (outer != null && outer.connection != null && outer.traceparent == null) {
            outer.told(traceparent);
            outer.entered = true;
            return outer;
        }
        ServedExchange waiting = Asynchronous.find(traceparent);
        if (waiting != null) {
            return Handover.begin(waiting, null, waiting.pieces);
        }
        ServedExchange exchange = new ServedExchange(traceparent, outer);
        start(exchange);
        return exchange;
    }

    /** Begins it on this thread. */
    static void start(ServedExchange exchange) {
        BEGUN.increment();
        CURRENT.set(exchange);
        try {
            ThreadSwitches.between(exchange.outer, exchange);
            Serving.begun(exchange);
            exchange.flight = Flight.exchangeBegins();
            exchange.observation = Observations.begin(exchange);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it ends as any other, and isn't observed
        }
    }

    /** Ends what {@code enter} returned; called by woven servers. */
    public static void exit(@Nullable Object token) {
        if (token == null) {
            return;
        }
        ServedExchange exchange = (ServedExchange) token;
        Asynchronous servlets = exchange.servlets;
        if (exchange.origin != null) {
            Handover.end(exchange);
        } else if (servlets == null || !servlets.leaves(exchange)) {
            end(exchange, null);
        }
    }

    /** Ends what {@code enter} returned when the server's method throws; called by woven servers. */
    public static void thrown(Throwable problem, @Nullable Object token) {
        ServedExchange exchange = (ServedExchange) token;
        if (exchange != null && exchange.origin != null) {
            exchange.origin.escapes(problem);
            Handover.end(exchange);
        } else if (exchange != null) {
            end(exchange, problem);
        }
    }

    /** What a servlet's container is to run in place of a task that it is asked to start; called by woven servers. */
    public static @Nullable Runnable started(@Nullable Runnable task) {
        try {
            return task == null ? null : Asynchronous.watched(task, CURRENT.get());
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return task;
        }
    }

    /**
     * Its thread goes on to others, while it isn't answered yet and may be worked on by those to whom it was handed.
     */
    static AsyncExchange leaveOpen(ServedExchange exchange) {
        AsyncExchange left;
        try {
            ServedConnection connection = exchange.connection;
            AsyncExchange before = connection == null ? null : connection.left;
            if (before != null) {
                before.end();
            }
            left = AsyncExchange.of(exchange);
            exchange.left = left;
            if (connection != null) {
                connection.left = left;
            }
        } catch (Throwable problem) {
            exchange.end(); // nobody could end it any more
            throw problem;
        } finally {
            gone(exchange);
        }
        left.settle();
        return left;
    }

    private static void end(ServedExchange exchange, @Nullable Throwable escaped) {
        try {
            Observation observation = exchange.observation;
            if (observation != null) {
                exchange.observation = null;
                Throwable before = exchange.escaped; // from what others did for it
                Observations.end(observation, exchange, before == null ? escaped : before);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // what was observed of it is lost
        }
        try {
            if (!exchange.ended) {
                exchange.end();
                exchange.request = null;
                gone(exchange);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the thread goes on without a context
        }
    }

    /** It was none: what was observed of it is thrown away. */
    static void drop(ServedExchange exchange) {
        Observation observation = exchange.observation;
        if (observation != null) {
            exchange.observation = null;
            Observations.leave(observation, exchange);
        }
        exchange.end();
        gone(exchange);
    }

    /** Whatever fails, its thread works on it no longer. */
    private static void gone(ServedExchange exchange) {
        try {
            Serving.ended(exchange);
            OverheadMeter.ended(exchange);
            Flight.exchangeEnds(exchange.flight, exchange);
        } finally {
            back(exchange);
        }
    }

    /** What the thread worked on before. */
    private static void back(ServedExchange exchange) {
        ServedExchange next = exchange.outer;
        while (next != null && next.origin != null && next.ended) {
            next = next.outer;
        }
        if (next == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(next);
        }
        ThreadSwitches.between(exchange, next);
    }

    /** This thread works on it from now on, as on a part of one that another thread has begun. */
    static void enter(ServedExchange part) {
        CURRENT.set(part);
        ThreadSwitches.between(part.outer, part);
    }

    /** This thread no longer does, if it did. */
    static void leave(ServedExchange part) {
        if (CURRENT.get() == part) {
            back(part);
        }
    }

    static @Nullable ServedExchange current() {
        ServedExchange current = CURRENT.get();
        while (current != null && current.loose && current.origin != null && current.origin.ended) {
            Handover.end(current);
            leave(current); // its end may be what asks: the agent's own queues are woven, too
            current = CURRENT.get();
        }
        return current;
    }

    /** How many exchanges were begun since the JVM started. */
    public static long begun() {
        return BEGUN.sum();
    }
}
