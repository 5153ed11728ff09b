package dev.understudy.sidecar.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import dev.understudy.sidecar.simulate.OwnStudy;
import dev.understudy.sidecar.simulate.SweepStudy;
import dev.understudy.sidecar.simulate.TableStudy;
import dev.understudy.sidecar.simulate.WantedStudy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy simulate}: how long a debug window lasts, worked out and simulated. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        sortOptions = false,
        description = {
            "Computes how long the debug window lasts, from empty to its first overflow: by the "
                    + "closed form of the M/M/1/K queue, and by simulating that queue event by event.",
            "",
            "Without options it repeats two studies of the thesis that Understudy builds on: the "
                    + "loads of its table 3.1 and the sweep of figure 3.5. With --rate it does so for a load of "
                    + "your own.",
            ""
        },
        footer = {
            "",
            "The same options give the same figures. Each request costs some 50 ns; the "
                    + "thesis's own buffer takes a day:",
            "understudy simulate --buffer 64GiB --horizon 1000000 --runs 1"
        })
final class SimulateCommand implements Callable<Integer> {
    @ArgGroup(exclusive = false, heading = "A load of your own:%n")
    private @Nullable Load load;

    @Option(
            names = "--buffer",
            paramLabel = "SIZE",
            defaultValue = "1MiB",
            converter = SettingConverter.Bytes.class,
            description = "What the window holds (default: ${DEFAULT-VALUE}).")
    private long buffer = 1 << 20;

    @Option(
            names = "--request",
            paramLabel = "SIZE",
            defaultValue = "1KiB",
            converter = SettingConverter.Bytes.class,
            description = "What one request takes of it (default: ${DEFAULT-VALUE}).")
    private long request = 1024;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often each is simulated, 1 to 100000 (default: ${DEFAULT-VALUE}).")
    private int runs = 10;

    @Option(
            names = "--horizon",
            paramLabel = "SECONDS",
            defaultValue = "1000",
            description = "Simulated seconds after which a run is ended (default: ${DEFAULT-VALUE}).")
    private double horizon = 1000;

    @Option(
            names = "--step",
            paramLabel = "PERCENT",
            defaultValue = "10",
            description = "From one overhead of the sweep to the next, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int step = 10;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draws the sweep into this file.")
    private @Nullable Path svg;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** A load of one's own. */
    static final class Load {
        @Option(names = "--rate", paramLabel = "R", required = true, description = "Requests a second that arrive.")
        private double rate;

        @Option(names = "--service", paramLabel = "R", required = true, description = "… that production can answer.")
        private double service;

        @Option(
                names = "--slow-down",
                paramLabel = "X",
                defaultValue = "1",
                description = "How many times slower debug is (default: ${DEFAULT-VALUE}).")
        private double slowDown = 1;

        @Option(
                names = "--wanted-window",
                paramLabel = "TIME",
                converter = SettingConverter.Time.class,
                description = "Instead: how much slower debug may be for a window that lasts so long, 10m say, and the"
                        + " agent's budget for it.")
        private @Nullable Duration wanted;
    }

    @Override
    public Integer call() {
        check(runs >= 1 && runs <= 100_000, "--runs: " + runs + " (expected: 1 to 100000)");
        check(step >= 1 && step <= 100, "--step: " + step + " (expected: 1 to 100)");
        check(horizon > 0, "--horizon: " + horizon + " (expected: > 0)");
        check(buffer >= request, "--buffer: " + buffer + " (expected: at least one request, " + request + ")");
        PrintWriter out = spec.commandLine().getOut();
        try {
            Load own = load;
            if (own != null) {
                lines(own).forEach(out::println);
            } else {
                studies(out);
            }
            out.flush();
            return Exit.FINE;
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        } catch (IOException unwritable) {
            spec.commandLine().getErr().println("understudy simulate: can't write " + unwritable.getMessage());
            return Exit.WRONG;
        }
    }

    private List<String> lines(Load own) {
        Duration wanted = own.wanted;
        return wanted == null
                ? new OwnStudy(own.rate, own.service, own.slowDown, buffer / request, horizon, runs, seed).lines()
                : new WantedStudy(own.rate, own.service, buffer / request, wanted).lines();
    }

    private void studies(PrintWriter out) throws IOException {
        new TableStudy(runs, seed).lines().forEach(out::println);
        out.println();
        out.flush();
        SweepStudy sweep = new SweepStudy(buffer / request, step, horizon, runs, seed);
        sweep.lines().forEach(out::println);
        if (svg != null) {
            Files.writeString(svg, sweep.svg());
            out.println();
            out.println("drawn into " + svg);
        }
    }

    private void check(boolean right, String problem) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
