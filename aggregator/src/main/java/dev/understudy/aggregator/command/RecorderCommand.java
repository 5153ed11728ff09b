package dev.understudy.aggregator.command;

import dev.understudy.aggregator.Aggregator;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.relay.split.ParentOrders;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The recorder process of an aggregator that relays in another one, which starts it, and ends it by
 * {@link ParentOrders}.
 */
@Command(
        name = "understudy-recorder",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Records and replays for an aggregator that relays in another process, which starts this one.")
public final class RecorderCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "the configuration file")
    private Path config = Path.of("aggregator.yaml");

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "set one setting")
    private List<String> sets = List.of();

    @Option(names = "--faults", paramLabel = "FILE", description = "a schedule of faults")
    private @Nullable Path faults;

    @Option(names = "--tap", paramLabel = "DIRECTORY", required = true, description = "where the rings are")
    private Path tap = Path.of("");

    @Option(names = "--log-format", paramLabel = "FORMAT", defaultValue = "text", description = "text or json")
    private LogFormat logFormat = LogFormat.TEXT;

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = new CommandLine(new RecorderCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
        System.out.flush();
        Runtime.getRuntime().exit(code);
    }

    @Override
    public Integer call() {
        PrintStream err = System.err;
        logFormat.use();
        try (ParentOrders orders = ParentOrders.open()) {
            serve(Aggregator.behind(Main.read(config, sets, faults), tap), orders);
            return 0;
        } catch (ConfigException wrong) {
            wrong.problems().forEach(err::println);
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println(notToBeHad.getMessage());
        }
        return Main.WRONG;
    }

    /**
     * There is nothing that it could be in a hurry with. What follows a dead tap process wants the ports and the
     * journal's directory at once: what isn't on disk by then is lost, as it is with an aggregator in one process.
     */
    private static void serve(Aggregator aggregator, ParentOrders orders) throws IOException {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        if (!orders.await(out, aggregator.ready(), () -> {})) {
            Runtime.getRuntime().halt(0);
        }
        aggregator.close();
        out.println(aggregator.fidelity());
    }
}
