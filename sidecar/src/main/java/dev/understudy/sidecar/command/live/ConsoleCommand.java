package dev.understudy.sidecar.command.live;

import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy console}: a link to the console that signs its first user in, and a browser that opens it. */
@Command(
        name = "console",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Prints a link to a running sidecar's console, and opens it where xdg-open is installed. The "
                + "link signs in once, within a minute, with the role of the token that this command uses.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the link was printed", "2:the sidecar can't be reached"})
public final class ConsoleCommand implements Callable<Integer> {
    private static final String OPENER = "xdg-open";

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--no-open", description = "Only prints the link.")
    private boolean closed;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ControlClient client = control.client(spec);
        String link =
                client.base() + client.post("/v1/console/links").path("path").asText();
        PrintWriter out = spec.commandLine().getOut();
        out.println(link);
        out.flush();
        if (!closed) {
            open(link);
        }
        return Exit.FINE;
    }

    /** Not every machine has a browser, and the link is printed already. */
    private static void open(String link) {
        try {
            new ProcessBuilder(OPENER, link)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            // it stays with the printed link
        }
    }
}
