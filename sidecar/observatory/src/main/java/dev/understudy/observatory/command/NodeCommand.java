package dev.understudy.observatory.command;

import dev.understudy.sidecar.command.control.Exit;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code understudy node}. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Samples this machine's processors, disks, memory and networks into a folder.")
public final class NodeCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return 0;
    }
}
