package dev.understudy.observatory.command;

import dev.understudy.observatory.node.NodeConfig;
import dev.understudy.observatory.node.NodeSampler;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy node}. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Samples this machine's processors, disks, memory and networks into a folder, until Ctrl-C or --for.",
            "",
            "The folder gets CSV files, a new one each minute: host-MILLIS.csv, and process-MILLIS.csv for what "
                    + "--process names. Only their owner can read them. Linux only.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped, and all samples are in the folder",
            "1:stopped, and some samples couldn't be written",
            "2:couldn't begin"
        })
public final class NodeCommand implements Callable<Integer> {
    private static final Duration LAST_WRITE = Duration.ofSeconds(3);

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FOLDER",
            description = "Write there; a new folder, or one of an earlier run.")
    private Path out = Path.of("");

    @Option(
            names = "--every",
            defaultValue = "50ms",
            paramLabel = "TIME",
            converter = SettingConverter.Time.class,
            description = "Take a sample so often, 20ms to 1s (default: ${DEFAULT-VALUE}).")
    private Duration every = Duration.ofMillis(50);

    @Option(
            names = "--process",
            arity = "1..*",
            paramLabel = "PROCESS",
            description = "Sample these processes, too: numbers, or parts of command lines, which also find "
                    + "processes that start later. Up to 16.")
    private List<String> processes = List.of();

    @Option(
            names = "--keep",
            defaultValue = "256MiB",
            paramLabel = "SIZE",
            converter = SettingConverter.Bytes.class,
            description = "Delete the oldest files beyond this size, 1MiB or more (default: ${DEFAULT-VALUE}).")
    private long keep = 256 << 20;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = SettingConverter.Time.class,
            description = "Stop after this time (default: go on until Ctrl-C).")
    private Duration time = Duration.ZERO;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        NodeConfig config;
        try {
            config = new NodeConfig(out, every, processes, keep, time);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        PrintWriter err = spec.commandLine().getErr();
        try (NodeSampler sampler = NodeSampler.open(config, Path.of("/proc"), Path.of("/sys"), err)) {
            return sample(sampler);
        } catch (IOException refused) {
            err.println("understudy node: " + refused.getMessage());
            return Exit.WRONG;
        }
    }

    private int sample(NodeSampler sampler) {
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Integer> written = new CompletableFuture<>();
        Thread hook = new Thread(() -> stop(stopped, written), "node-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        PrintWriter text = spec.commandLine().getOut();
        text.println("understudy node ready: a sample every " + every.toMillis() + " ms, into " + out);
        text.flush();
        long samples = sampler.run(stopped::get);
        sampler.close();
        text.println(samples + " samples are in " + out + (sampler.lost() == 0 ? "" : "; some couldn't be written"));
        text.flush();
        int exit = sampler.lost() == 0 ? Exit.FINE : Exit.ATTENTION;
        written.complete(exit);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // the hook ends the process
        }
        return exit;
    }

    /**
     * Ctrl-C or SIGTERM: what was sampled in the last second is still to be written, and it is a good end. The signals'
     * own handlers would need a logger's classes, for which this process is too small.
     */
    private static void stop(AtomicBoolean stopped, CompletableFuture<Integer> written) {
        stopped.set(true);
        int exit = written.completeOnTimeout(Exit.ATTENTION, LAST_WRITE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        Runtime.getRuntime().halt(exit);
    }
}
