package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Method handles that woven classes use without linking them, since their class files may be too old; for any threads.
 */
final class Linked {
    private static final ClassValue<Map<String, MethodHandle>> FOUND = new ClassValue<>() {
        @Override
        protected Map<String, MethodHandle> computeValue(Class<?> woven) {
            return new ConcurrentHashMap<>();
        }
    };

    private Linked() {}

    /**
     * What {@code maker} makes of these words, separated by spaces, with the rights of the woven class; made once.
     *
     * @param otherwise used where it can't be made
     */
    static MethodHandle of(Class<?> woven, String words, Maker maker, MethodHandle otherwise) {
        Map<String, MethodHandle> found = FOUND.get(woven);
        MethodHandle handle = found.get(words);
        if (handle == null) {
            try {
                handle = maker.make(rights(woven), words.split(" ", -1));
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                handle = otherwise;
            }
            found.put(words, handle);
        }
        return handle;
    }

    /** The class's own; if its module keeps them from us, everybody's. */
    private static MethodHandles.Lookup rights(Class<?> woven) {
        try {
            return MethodHandles.privateLookupIn(woven, MethodHandles.lookup());
        } catch (IllegalAccessException closed) {
            return MethodHandles.publicLookup().in(woven);
        }
    }

    interface Maker {
        MethodHandle make(MethodHandles.Lookup woven, String[] words) throws ReflectiveOperationException;
    }
}
