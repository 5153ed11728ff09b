package dev.understudy.agent;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import java.io.File;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The entry point that the JVM calls, with an application or as a program of its own; hands over to the agent's own class loader and does nothing else.
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

    /** Called as a program, {@code java -jar understudy-agent.jar weave …}; fails with exit code 1. */
    public static void main(String[] arguments) throws Exception {
        File jar = jar();
        Object done = AgentClassLoader.ofProgram(jar)
                .loadClass("dev.understudy.agent.ahead.WeaveCommand")
                .getMethod("run", Path.class, String[].class, PrintStream.class, PrintStream.class)
                .invoke(null, jar.toPath(), arguments, System.out, System.err);
        if (!Boolean.TRUE.equals(done)) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, told) -> {});
            throw new IllegalStateException("told already");
        }
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
            File jar = jar();
            instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
            ClassLoader loader = AgentClassLoader.over(jar);
            loader.loadClass("dev.understudy.agent.AgentInstaller")
                    .getMethod("install", String.class, Instrumentation.class, boolean.class)
                    .invoke(null, arguments, instrumentation, attached);
        } catch (Throwable problem) {
            System.err.println("[understudy] inert: the agent could not start: " + problem);
        }
    }

    private static File jar() throws URISyntaxException {
        return new File(
                Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
