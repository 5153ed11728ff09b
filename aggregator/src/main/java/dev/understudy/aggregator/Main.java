package dev.understudy.aggregator;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.relay.log.LogFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
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
    private static final int WRONG = 2;

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
            AggregatorConfig read = AggregatorConfig.read(config, System.getenv(), sets);
            if (faults != null) {
                read = read.withFaults(read.faultSettings().schedule(faults));
            }
            if (check) {
                System.out.println(config + ": right, " + read.upstreams().size() + " upstreams");
                return 0;
            }
            return run(read);
        } catch (ConfigException e) {
            e.problems().forEach(err::println);
            return WRONG;
        } catch (IOException e) {
            err.println(e.getMessage());
            return WRONG;
        }
    }

    private static int run(AggregatorConfig config) throws IOException, InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (Aggregator aggregator = Aggregator.open(config)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndAwait(stop, stopped), "stop"));
            StopSignal.on(stop::countDown, aggregator::hurry);
            System.out.println(aggregator.ready());
            System.out.flush();
            stop.await();
            aggregator.drain(config.drain());
            System.out.println(aggregator.fidelity());
            System.out.flush();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** Holds the JVM's end back until the connections have been drained. */
    private static void stopAndAwait(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"understudy-aggregator " + (version == null ? "(not packaged)" : version)};
        }
    }
}
