package dev.understudy.agent;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The entry point that the JVM calls, with an application or as a program of its own; hands over to the agent's own
 * class loader and does nothing else.
 *
 * <p>Only this class and the {@code bootstrap} package can be seen by the application. Nothing thrown here reaches the
 * JVM's launcher, which would stop the application.
 */
public final class Agent {
    /**
     * Says to whoever attaches that an agent is here, and how it is doing; where it is inert, another may be attached.
     */
    private static final String PRESENT = "dev.understudy.agent.present";

    private static final String INERT = "inert";

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
        return "true".equals(setting("debug", arguments, environment));
    }

    /** Whether he says nothing of it, but has given a key, with which the sidecar can show it. */
    static boolean mayBeShown(@Nullable String arguments, @Nullable String debug, @Nullable String keyfile) {
        return setting("debug", arguments, debug).isEmpty()
                && !setting("keyfile", arguments, keyfile).isEmpty();
    }

    private static String setting(String key, @Nullable String arguments, @Nullable String environment) {
        for (String pair : arguments == null ? new String[0] : arguments.split(",", -1)) {
            if (pair.trim().startsWith(key + "=")) {
                return pair.trim().substring(key.length() + 1).trim();
            }
        }
        return environment == null ? "" : environment.trim();
    }

    /** Which pid namespace this process is in, as Linux numbers them; "unknown" elsewhere. */
    private static String pidNamespace() {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return link.substring(link.indexOf('[') + 1, link.length() - 1);
        } catch (IOException | RuntimeException notLinux) {
            return "unknown";
        }
    }

    private static synchronized void start(
            @Nullable String arguments, Instrumentation instrumentation, boolean attached) {
        String debug = System.getenv("UNDERSTUDY_AGENT_DEBUG");
        try {
            Object before = System.getProperties().putIfAbsent(PRESENT, INERT);
            if (before != null && !(attached && before.equals(INERT))) {
                System.err.println("[understudy] already in this JVM; the second agent is ignored");
                return;
            }
            String meant = setting("pid-namespace", arguments, null);
            if (!meant.isEmpty() && !meant.equals(pidNamespace())) {
                System.err.println(
                        "[understudy] inert: this process isn't the copy that the agent was sent to (it is in pid "
                                + "namespace " + pidNamespace() + ", expected " + meant + ")");
            } else if (mayBeShown(arguments, debug, System.getenv("UNDERSTUDY_AGENT_KEYFILE"))) {
                ask(arguments, instrumentation);
            } else if (marked(arguments, debug)) {
                install(arguments, instrumentation, attached);
            } else {
                System.err.println("[understudy] inert: this JVM isn't marked as the debug one (debug=true isn't set)");
            }
        } catch (Throwable problem) {
            failed(problem, arguments, marked(arguments, debug));
        }
    }

    /** Asks on a thread of the agent's, by a class loader of its own, which goes when it has an answer. */
    private static void ask(@Nullable String arguments, Instrumentation instrumentation) throws Exception {
        System.setProperty(PRESENT, "asking");
        Consumer<Boolean> shown = debug -> {
            try {
                System.setProperty(PRESENT, INERT);
                if (debug) {
                    install(arguments, instrumentation, true);
                }
            } catch (Throwable problem) {
                failed(problem, arguments, debug);
            }
        };
        AgentClassLoader.aloneOver(jar())
                .loadClass("dev.understudy.agent.UntilShown")
                .getMethod("ask", String.class, Consumer.class)
                .invoke(null, arguments, shown);
    }

    /** The agent's class loader is made by the bootstrap part, which has to know it again. */
    private static void install(@Nullable String arguments, Instrumentation instrumentation, boolean attached)
            throws Exception {
        File jar = jar();
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
        ClassLoader loader = (ClassLoader) Class.forName("dev.understudy.agent.bootstrap.AgentClassLoader", true, null)
                .getMethod("over", File.class)
                .invoke(null, jar);
        Object on = loader.loadClass("dev.understudy.agent.AgentInstaller")
                .getMethod("install", String.class, Instrumentation.class, boolean.class)
                .invoke(null, arguments, instrumentation, attached);
        System.setProperty(PRESENT, Boolean.TRUE.equals(on) ? "on" : INERT);
    }

    private static void failed(Throwable problem, @Nullable String arguments, boolean debug) {
        System.setProperty(PRESENT, "failed");
        System.err.println("[understudy] inert: the agent could not start: " + problem);
        if (debug && meansToDenyEgress(arguments, System.getenv("UNDERSTUDY_AGENT_EGRESS"))) {
            System.err.println("[understudy] EGRESS IS NOT ENFORCED: the agent is inert, whatever its setting says");
        }
    }

    /** Whether he wants connections refused; a word that isn't known may have meant it. */
    static boolean meansToDenyEgress(@Nullable String arguments, @Nullable String environment) {
        String egress = setting("egress", arguments, environment);
        return !egress.isEmpty() && !egress.equals("allow");
    }

    private static File jar() throws URISyntaxException {
        return new File(
                Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
