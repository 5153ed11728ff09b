package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Where logging frameworks tell of what is logged: an exchange that logs an error is marked. For any threads. */
public final class Logged {
    private static final MethodType IS_ERROR = MethodType.methodType(boolean.class, Object.class);
    private static final MethodHandle NEVER = MethodHandles.empty(IS_ERROR);

    private Logged() {}

    /**
     * Something is logged; called by woven frameworks before they do anything with it.
     *
     * @param event the framework's own object
     * @param woven the class that calls
     * @param words the event's type, the getters to its level's number separated by dots, and the least number of an
     *     error, or, where more severe is less, the greatest with a minus; separated by spaces
     */
    public static void event(Object event, Class<?> woven, String words) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (current == null) {
                return;
            }
            ServedExchange whole = current.origin == null ? current : current.origin;
            if (!whole.logged
                    && (boolean) Linked.of(woven, words, Logged::isError, NEVER).invokeExact(event)) {
                whole.logged = true;
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it isn't known then
        }
    }

    private static MethodHandle isError(MethodHandles.Lookup woven, String[] words)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName(words[0], false, woven.lookupClass().getClassLoader());
        MethodHandle level = Getters.number(woven, type, words[1]);
        MethodHandle judge = MethodHandles.lookup()
                .findStatic(Logged.class, "isError", MethodType.methodType(boolean.class, int.class, int.class));
        return MethodHandles.filterReturnValue(
                        level, MethodHandles.insertArguments(judge, 0, Integer.parseInt(words[2])))
                .asType(IS_ERROR);
    }

    @SuppressWarnings("unused") // by isError
    private static boolean isError(int limit, int level) {
        return limit < 0 ? level <= -limit : level >= limit;
    }
}
