package dev.understudy.sidecar.command;

import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.split.TapProcess;
import dev.understudy.relay.stream.ProcessDirectory;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code understudy tap}: what the tap processes of this machine have counted, read from their memory and asked of
 * nobody.
 */
@Command(
        name = "tap",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Show what tap processes on this machine relay and lose, also while their lane process is dead.",
        footer = {"", "Exit codes: 0 shown, 1 there is none, 2 the directory can't be read."})
final class TapCommand implements Callable<Integer> {
    @Option(
            names = "--directory",
            paramLabel = "DIRECTORY",
            description = "Where their rings are, as tap.directory says (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of(TapConfig.place());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, TapProcess.PREFIX + "*")) {
            all.forEach(found::add);
        }
        boolean any = false;
        for (Path one : found) {
            any |= show(one, out);
        }
        if (!any) {
            spec.commandLine().getErr().println("understudy tap: no tap process in " + directory);
        }
        return any ? Exit.FINE : Exit.ATTENTION;
    }

    /** One that is just ending, or somebody else's, is left out. */
    private boolean show(Path one, PrintWriter out) {
        try {
            ControlBlock control = ControlBlock.open(one.resolve(TapProcess.CONTROL));
            out.println(one + (ProcessDirectory.isInUse(one) ? "" : " (its process is dead)") + "  child processes "
                    + control.lives());
            for (int number = 0; number < control.listeners(); number++) {
                show(new PublishedRelay(control, number), control.wanted(number) != ControlBlock.OFF, out);
            }
            return true;
        } catch (IOException gone) {
            spec.commandLine().getErr().println("understudy tap: " + one + ": " + gone.getMessage());
            return false;
        }
    }

    private static void show(PublishedRelay relay, boolean wanted, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "  %s  connections %d (%d open)  bytes in %d out %d  tap %s"
                        + "  lost in %d out %d, %d holes, %d connections, unknown %d%n",
                Address.spell(relay.address()),
                relay.opened(),
                relay.open(),
                relay.bytes(Direction.REQUEST),
                relay.bytes(Direction.REPLY),
                wanted ? "on" : "off",
                relay.lostBytes(Direction.REQUEST),
                relay.lostBytes(Direction.REPLY),
                relay.holes(),
                relay.lostConnections(),
                relay.unknownBytes());
    }
}
