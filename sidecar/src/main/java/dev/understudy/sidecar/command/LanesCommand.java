package dev.understudy.sidecar.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.sidecar.LaneProcess;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.control.StatusView;
import dev.understudy.sidecar.tap.LaneSupervisor;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
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
 * {@code understudy lanes}: the lane process of a tap process, which starts it. It ends when its standard input does,
 * and with no signal: signals are meant for the tap process, also where a terminal sends them to both.
 */
@Command(
        name = "lanes",
        hidden = true,
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Runs the debug side of a sidecar that relays in another process, which starts this one.")
final class LanesCommand implements Callable<Integer> {
    private static final Path OOM_SCORE = Path.of("/proc/self/oom_score_adj");

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
        goFirst();
        StopSignal signals = StopSignal.ignored();
        try {
            Problems problems = new Problems();
            SidecarConfig settings = SidecarConfig.read(config, new Overrides(environment, sets, problems), problems);
            serve(LaneProcess.start(settings, tap), out);
            return Exit.FINE;
        } catch (ConfigException wrong) {
            wrong.problems().forEach(err::println);
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println("understudy lanes: " + notToBeHad.getMessage());
        } finally {
            signals.close();
        }
        err.flush();
        return Exit.WRONG;
    }

    /** Where memory runs out, Linux ends this process and not the one that relays, unless it ends a whole container. */
    @SuppressWarnings("EmptyCatch")
    private static void goFirst() {
        try {
            Files.writeString(OOM_SCORE, "1000");
        } catch (IOException unknown) {
            // another system
        }
    }

    private static void serve(LaneProcess lanes, PrintWriter out) throws IOException {
        out.println(LaneSupervisor.READY + "control=" + StatusView.spell(lanes.controlAddress()));
        out.flush();
        InputStream tapProcess = System.in;
        int order = tapProcess.read();
        while (order >= 0 && order != LaneSupervisor.END) {
            order = tapProcess.read();
        }
        if (order < 0) {
            // the tap process is dead, and who follows it wants the control port
            lanes.close(Duration.ZERO);
            return;
        }
        Thread hurry = new Thread(() -> hurry(tapProcess, lanes), "understudy-hurry");
        hurry.setDaemon(true);
        hurry.start();
        lanes.close();
        lanes.fidelity().forEach((name, statement) -> out.println(name + ": " + statement));
        out.flush();
    }

    /** While it ends in good order: at the next order, or once the tap process is dead. */
    private static void hurry(InputStream tapProcess, LaneProcess lanes) {
        try {
            tapProcess.read();
        } catch (IOException closed) {
            // as if it were dead
        }
        lanes.hurry();
    }
}
