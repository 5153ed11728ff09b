package dev.understudy.standin.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.command.control.SettingConverter;
import dev.understudy.standin.load.LoadJson;
import dev.understudy.standin.load.LoadOptions;
import dev.understudy.standin.load.LoadResult;
import dev.understudy.standin.load.LoadRun;
import dev.understudy.standin.load.LoadTarget;
import dev.understudy.standin.load.LoadText;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ServiceModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy load}: makes a service's traffic by its model, and measures the replies. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Makes traffic like production's by a model: its mix of routes, its bursts, its sessions.",
            "",
            "Requests come at their moments whatever the replies do. Times count from those moments, so that "
                    + "a stall shows in each request that it delayed. Ctrl-C ends it early.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the load was made, and each request had a reply",
            "1:requests had no reply, or the load was not reached",
            "2:something couldn't be read, or nobody listens there"
        })
public final class LoadCommand implements Callable<Integer> {

    @Option(
            names = "--from",
            required = true,
            paramLabel = "MODEL",
            description = "The model, as understudy standin learn writes it.")
    private Path from = Path.of("");

    @Option(
            names = "--target",
            required = true,
            paramLabel = "URL",
            converter = TargetConverter.class,
            description = "Who is asked: http://HOST:PORT.")
    private LoadTarget target = new LoadTarget("localhost", 1);

    @Option(names = "--scale", paramLabel = "F", description = "F times production's rate (default: 1).")
    private @Nullable Double scale;

    @Option(names = "--rate", paramLabel = "R", description = "R requests per second, instead of --scale.")
    private @Nullable Double rate;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "S",
            description = "For how long requests are made (default: ${DEFAULT-VALUE}).")
    private int seconds = 10;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "How many connections are open at once, at most (default: as many as the model has).")
    private @Nullable Integer connections;

    @Option(
            names = "--timeout",
            defaultValue = "30s",
            paramLabel = "DURATION",
            converter = SettingConverter.Time.class,
            description = "How long a request may take from when it was due (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--queue",
            defaultValue = "" + LoadOptions.STANDARD_QUEUE,
            paramLabel = "N",
            description = "How many requests may wait for a connection; more are dropped, and counted "
                    + "(default: ${DEFAULT-VALUE}).")
    private int queue = LoadOptions.STANDARD_QUEUE;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "The same seed makes the same requests (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes what was measured as JSON.")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** A target as it is written. */
    static final class TargetConverter implements ITypeConverter<LoadTarget> {
        @Override
        public LoadTarget convert(String raw) {
            try {
                return LoadTarget.parse(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(String.valueOf(wrong.getMessage()));
            }
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        checkRate();
        try {
            ServiceModel model = ModelFile.read(from);
            return run(model, options(model));
        } catch (IOException | ConfigException | IllegalArgumentException notToBeHad) {
            err.println("understudy load: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private void checkRate() {
        if (scale != null && rate != null) {
            throw wrong("--rate " + rate + " and --scale " + scale + " (expected: one of them)");
        }
        if (scale != null && !(scale > 0)) {
            throw wrong("--scale: " + scale + " (expected: > 0)");
        }
    }

    private LoadOptions options(ServiceModel model) {
        try {
            LoadOptions options = LoadOptions.of(model, target)
                    .withSeconds(seconds)
                    .withTimeout(timeout)
                    .withQueue(queue)
                    .withSeed(seed);
            double usual = model.arrivals().perSecond();
            options = options.withRate(rate != null ? rate : scale != null ? usual * scale : usual);
            return connections == null ? options : options.withConnections(connections);
        } catch (IllegalArgumentException unusable) {
            throw wrong("--" + unusable.getMessage());
        }
    }

    private int run(ServiceModel model, LoadOptions options) throws IOException, InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        // what was measured so far is printed after Ctrl-C or SIGTERM; a second one ends it at once
        StopSignal signals = StopSignal.on(
                () -> stopped.set(true), () -> Runtime.getRuntime().halt(Exit.ATTENTION));
        try (signals) {
            return report(model, options, LoadRun.run(model, options, stopped::get, this::tell));
        }
    }

    private void tell(LoadResult soFar) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(LoadText.progress(soFar));
        err.flush();
    }

    private int report(ServiceModel model, LoadOptions options, LoadResult result) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println(model.service() + " at " + options.target() + ", seed " + options.seed());
        LoadText.print(result, out);
        if (json != null) {
            String text = new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(LoadJson.of(model.service(), options, result));
            PrivateFile.write(json, text + "\n");
        }
        return result.isFine() ? Exit.FINE : Exit.ATTENTION;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
