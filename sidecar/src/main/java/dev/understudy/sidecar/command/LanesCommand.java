package dev.understudy.sidecar.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.relay.split.ParentOrders;
import dev.understudy.sidecar.LaneProcess;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code understudy lanes}: the lane process of a tap process, which starts it, and ends it by {@link ParentOrders}.
 */
@Command(
        name = "lanes",
        hidden = true,
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Runs the debug side of a sidecar that relays in another process, which starts this one.")
final class LanesCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The settings.")
    private Path config = Path.of("sidecar.yaml");

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Overrides one setting.")
    private List<String> sets = List.of();

    @Option(names = "--tap", paramLabel = "DIRECTORY", required = true, description = "Where the rings are.")
    private Path tap = Path.of("");

    @Option(names = "--log-format", paramLabel = "FORMAT", defaultValue = "text", description = "text or json.")
    private LogFormat logFormat = LogFormat.TEXT;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;

    LanesCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        logFormat.use();
        try (ParentOrders orders = ParentOrders.open()) {
            Problems problems = new Problems();
            SidecarConfig settings = SidecarConfig.read(config, new Overrides(environment, sets, problems), problems);
            serve(LaneProcess.start(settings, tap), orders, out);
            return Exit.FINE;
        } catch (ConfigException wrong) {
            wrong.problems().forEach(err::println);
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println("understudy lanes: " + notToBeHad.getMessage());
        }
        err.flush();
        return Exit.WRONG;
    }

    private static void serve(LaneProcess lanes, ParentOrders orders, PrintWriter out) throws IOException {
        String said = "control=" + Address.spell(lanes.controlAddress());
        if (orders.await(out, said, lanes::hurry)) {
            lanes.close();
            lanes.fidelity().forEach((name, statement) -> out.println(name + ": " + statement));
            out.flush();
        } else {
            lanes.close(Duration.ZERO);
        }
    }
}
