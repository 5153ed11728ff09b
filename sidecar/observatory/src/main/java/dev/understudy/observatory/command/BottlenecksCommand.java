package dev.understudy.observatory.command;

import dev.understudy.sidecar.command.control.Exit;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code understudy bottlenecks}. */
@Command(
        name = "bottlenecks",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Finds when requests queued for a moment, in which tier, and for which resource.")
public final class BottlenecksCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return 0;
    }
}
