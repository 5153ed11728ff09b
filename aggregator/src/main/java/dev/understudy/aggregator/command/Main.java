package dev.understudy.aggregator.command;

import dev.understudy.aggregator.Aggregator;
import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.relay.split.ProxyRun;
import dev.understudy.relay.split.ProxyService;
import dev.understudy.relay.split.SplitProxy;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: reads the configuration, runs the aggregator until it is told to stop. */
@Command(
        name = "understudy-aggregator",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Relays production to the upstreams of a service, records the replies,",
            "and answers the debug JVM from them. No byte of the debug JVM reaches an upstream, but for "
                    + "reads where miss is live."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:stopped on request", "2:wrong configuration, or a port is taken"})
public final class Main implements Callable<Integer> {
    static final int WRONG = 2;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "aggregator.yaml",
            description = "the configuration file (default: ${DEFAULT-VALUE})")
    private Path config = Path.of("aggregator.yaml");

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = {
                "set one setting, above file and environment,",
                "e.g. --set upstreams[0].wait=2s; as an environment",
                "variable: UNDERSTUDY_UPSTREAMS_0_WAIT=2s"
            })
    private List<String> sets = List.of();

    @Option(
            names = "--faults",
            paramLabel = "FILE",
            description = {
                "a schedule of faults that debug requests are made to suffer,",
                "from the start; understudy fault sets them while it runs"
            })
    private @Nullable Path faults;

    @Option(names = "--check", description = "only say whether the configuration is right")
    private boolean check;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "${env:UNDERSTUDY_LOG_FORMAT:-text}",
            description = "how log lines are written to standard error: text or json; without it"
                    + " UNDERSTUDY_LOG_FORMAT, and without that text")
    private LogFormat logFormat = LogFormat.TEXT;

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = commandLine().execute(args);
        System.out.flush();
        Runtime.getRuntime().exit(code);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintStream err = System.err;
        logFormat.use();
        try {
            AggregatorConfig read = read(config, sets, faults);
            if (check) {
                System.out.println(config + ": right, " + read.upstreams().size() + " upstreams");
                return 0;
            }
            PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            ProxyService.serve("understudy aggregator", () -> start(read, out), new CountDownLatch(1), out);
            return 0;
        } catch (ConfigException e) {
            e.problems().forEach(err::println);
            return WRONG;
        } catch (IOException e) {
            err.println(e.getMessage());
            return WRONG;
        }
    }

    static AggregatorConfig read(Path config, List<String> sets, @Nullable Path faults) throws IOException {
        AggregatorConfig read = AggregatorConfig.read(config, System.getenv(), sets);
        return faults == null ? read : read.withFaults(read.faultSettings().schedule(faults));
    }

    private ProxyRun start(AggregatorConfig settings, PrintWriter out) throws IOException {
        return settings.isSplit()
                ? SplitProxy.start(new SplitAggregator(settings, recorderArguments()), out)
                : new WholeAggregator(Aggregator.open(settings), settings.drain());
    }

    /** What the recorder process needs to read the same settings. */
    private List<String> recorderArguments() {
        List<String> arguments = new ArrayList<>(List.of("--config", config.toString()));
        sets.forEach(set -> arguments.addAll(List.of("--set", set)));
        if (faults != null) {
            arguments.addAll(List.of("--faults", faults.toString()));
        }
        arguments.addAll(List.of("--log-format", logFormat.name().toLowerCase(Locale.ROOT)));
        return arguments;
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"understudy-aggregator " + (version == null ? "(not packaged)" : version)};
        }
    }
}
