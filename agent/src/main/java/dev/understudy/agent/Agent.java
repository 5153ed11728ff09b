package dev.understudy.agent;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The entry point that the JVM calls; hands over to the agent's own class loader and does nothing else.
 *
 * <p>Only this class and the {@code bootstrap} package can be seen by the application. Nothing thrown here
 * reaches the JVM's launcher, which would stop the application.
 */
public final class Agent {
    private Agent() {}

    /** Called before the application's main method ({@code -javaagent}). */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation, false);
    }

    /** Called when the agent is attached to a running JVM. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation, true);
    }

    /** Whether the operator says that this is the debug JVM; if not, not even the class path is touched. */
    static boolean marked(@Nullable String arguments, @Nullable String environment) {
        for (String pair : arguments == null ? new String[0] : arguments.split(",", -1)) {
            if (pair.trim().startsWith("debug=")) {
                return "debug=true".equals(pair.trim());
            }
        }
        return environment != null && "true".equals(environment.trim());
    }

    private static synchronized void start(
            @Nullable String arguments, Instrumentation instrumentation, boolean attached) {
        try {
            if (System.getProperties().putIfAbsent("dev.understudy.agent.present", "true") != null) {
                System.err.println("[understudy] already in this JVM; the second -javaagent is ignored");
                return;
            }
            if (!marked(arguments, System.getenv("UNDERSTUDY_AGENT_DEBUG"))) {
                System.err.println("[understudy] inert: this JVM isn't marked as the debug one (debug=true isn't set)");
                return;
            }
            File jar = new File(Agent.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
            ClassLoader loader = AgentClassLoader.over(jar);
            loader.loadClass("dev.understudy.agent.AgentInstaller")
                    .getMethod("install", String.class, Instrumentation.class, boolean.class)
                    .invoke(null, arguments, instrumentation, attached);
        } catch (Throwable problem) {
            System.err.println("[understudy] inert: the agent could not start: " + problem);
        }
    }
}
