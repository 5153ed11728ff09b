package dev.understudy.sidecar.command.ide;

import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy ide}: run configurations for a debugger that connects to the debug JVM. */
@Command(
        name = "ide",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Prints run configurations with which IntelliJ and VS Code connect their debugger to the debug JVM, and "
                    + "what a breakpoint there costs now.",
            "",
            "With --write it puts them into a project: .run/NAME.run.xml, and .vscode/launch.json, where all that "
                    + "stands there stays. A file that can't be read as such is left as it is.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the configurations were printed, or written",
            "1:the same, but the sidecar can't be reached, so there is no advice",
            "2:an option is wrong, or a file can't be read or written"
        })
public final class IdeCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:5005",
            description = "Where the debug JVM's JDWP port is, as this machine reaches it (${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--name",
            defaultValue = "Understudy debug JVM",
            description = "The configuration's name (${DEFAULT-VALUE}).")
    private String name = "";

    @Option(names = "--write", paramLabel = "DIR", description = "Writes the files into the project in that folder.")
    private @Nullable Path project;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        DebuggerAddress debugger = debugger();
        PrintWriter out = spec.commandLine().getOut();
        out.println("Start the debug JVM with\n  " + debugger.option());
        out.println("and forward the port if it runs elsewhere:");
        out.println("  ssh -N -L " + debugger.port() + ":127.0.0.1:" + debugger.port() + " HOST");
        out.println("  kubectl port-forward POD " + debugger.port() + "\n");
        if (project == null) {
            out.println("IntelliJ, " + IntellijRun.file(Path.of(""), debugger) + ":\n" + IntellijRun.text(debugger));
            out.println("VS Code, " + VsCodeLaunch.file(Path.of("")) + ":\n" + VsCodeLaunch.text(debugger));
        } else {
            write(project, debugger, out);
        }
        int code = advise(out);
        out.flush();
        return code;
    }

    private DebuggerAddress debugger() {
        try {
            return DebuggerAddress.of(name, address);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** Both or neither: nothing is written before both texts are known. */
    private static void write(Path project, DebuggerAddress debugger, PrintWriter out) throws IOException {
        if (!Files.isDirectory(project)) {
            throw new IOException(project + ": no folder (expected: the project's)");
        }
        Path intellij = IntellijRun.file(project, debugger);
        Path launch = VsCodeLaunch.file(project);
        String run = IntellijRun.merged(intellij, debugger);
        String merged = VsCodeLaunch.merged(launch, debugger);
        replace(intellij, run);
        replace(launch, merged);
        out.println("written: " + intellij + "\nwritten: " + launch + "\n");
    }

    /** Whoever reads it sees the old text or the new one. */
    private static void replace(Path file, String text) throws IOException {
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        Path fresh = folder.resolve(".understudy-" + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.writeString(fresh, text);
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private int advise(PrintWriter out) throws InterruptedException {
        try {
            BreakpointAdvice.lines(control.client(spec).get("/v1/status")).forEach(out::println);
            return Exit.FINE;
        } catch (IOException unreachable) {
            out.println("No advice: " + unreachable.getMessage());
            return Exit.ATTENTION;
        }
    }
}
