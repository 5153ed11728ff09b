package dev.understudy.sidecar.command.steer;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy attach}: brings the agent into a debug JVM that runs already. */
@Command(
        name = "attach",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Attaches the agent to a running debug JVM on this machine, of the same user, without a "
                    + "restart. The settings are those of -javaagent. Without debug=true, or a keyfile, the "
                    + "agent stays inert, so a wrong process id does no harm.",
            "",
            "JDK 21 and later print a warning unless they were started with "
                    + "-XX:+EnableDynamicAgentLoading, and refuse with -XX:-EnableDynamicAgentLoading.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the agent works there, or asks the sidecar whether it may",
            "1:it is inert there, and has said why on that JVM's standard error, or one works there already",
            "2:the JVM couldn't be attached to"
        })
public final class AttachCommand implements Callable<Integer> {
    private static final String PRESENT = "dev.understudy.agent.present";

    @Parameters(index = "0", paramLabel = "PID", description = "The debug JVM's process.")
    private long pid;

    @Parameters(
            index = "1",
            paramLabel = "SETTINGS",
            defaultValue = "",
            description = "The agent's settings, such as debug=true,sidecar=http://127.0.0.1:9090.")
    private String settings = "";

    @Option(
            names = "--agent",
            paramLabel = "JAR",
            defaultValue = "${sys:understudy.agent.jar:-understudy-agent.jar}",
            description = "The agent's jar, where that JVM can read it.")
    private Path agent = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (!Files.isReadable(agent)) {
            throw new IOException(agent + ": no such file (expected: the agent's jar, by --agent)");
        }
        VirtualMachine jvm = attached();
        try {
            String before = jvm.getSystemProperties().getProperty(PRESENT);
            if (before != null && !before.equals("inert")) {
                out.println("process " + pid + " has an agent already: " + before);
                return Exit.ATTENTION;
            }
            jvm.loadAgent(agent.toAbsolutePath().toString(), settings);
            Properties after = jvm.getSystemProperties();
            String standing = after.getProperty(PRESENT, "inert");
            out.println("process " + pid + ", JDK " + after.getProperty("java.version") + ": the agent is "
                    + told(standing));
            return standing.equals("on") || standing.equals("asking") ? Exit.FINE : Exit.ATTENTION;
        } catch (AgentLoadException | AgentInitializationException refused) {
            throw new IOException("process " + pid + " doesn't take the agent: " + refused.getMessage(), refused);
        } finally {
            jvm.detach();
        }
    }

    private VirtualMachine attached() throws IOException {
        try {
            return VirtualMachine.attach(Long.toString(pid));
        } catch (AttachNotSupportedException | IOException | NoClassDefFoundError failed) {
            String why = failed instanceof NoClassDefFoundError
                    ? "this java has no module jdk.attach (expected: a JDK, or an image made with "
                            + "jlink --add-modules jdk.attach,…)"
                    : String.valueOf(failed.getMessage());
            throw new IOException(
                    "process " + pid + " can't be attached to: " + why
                            + " (expected: a JVM of this machine and this user)",
                    failed);
        }
    }

    private static String told(String standing) {
        return switch (standing) {
            case "on" -> "on";
            case "asking" -> "asking the sidecar whether this is the debug JVM";
            default -> "inert; its standard error says why";
        };
    }
}
