package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * Knows the bootstrap part, and answers class loaders that are asked for it and wouldn't ask their parent, such as
 * those of OSGi bundles.
 */
public final class OwnClasses {
    private static final String OURS = "dev.understudy.agent.bootstrap.";

    private OwnClasses() {}

    /** Whether a class is of the bootstrap part. */
    public static boolean has(Class<?> type) {
        return type.getClassLoader() == OwnClasses.class.getClassLoader()
                && type.getName().startsWith(OURS);
    }

    /** The class of the bootstrap part with this name, dots between; null for any other. */
    public static @Nullable Class<?> find(@Nullable String name) {
        if (name == null || !name.startsWith(OURS)) {
            return null;
        }
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException unknown) {
            return null;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }
}
