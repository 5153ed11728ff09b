package dev.understudy.standin.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.standin.model.ArrivalModel;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy standin show}: checks a model, and summarises it. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = "Checks a model, and shows its routes with their times and replies.")
public final class StandInShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "MODEL", description = "A file of understudy standin learn.")
    private Path model = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            ServiceModel read = ModelFile.read(model);
            print(read, spec.commandLine().getOut());
            return Exit.FINE;
        } catch (IOException | ConfigException notToBeHad) {
            err.println("understudy standin show: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private static void print(ServiceModel model, PrintWriter out) {
        ArrivalModel arrivals = model.arrivals();
        out.println(line(
                "%s: %d exchanges in %.1f s, %.1f per second on up to %d connections; %s",
                model.service(),
                model.exchanges(),
                model.seconds(),
                arrivals.perSecond(),
                arrivals.connections(),
                model.workers() == 0 ? "no limit of workers" : model.workers() + " workers"));
        out.println(
                line("%7s %9s %9s %9s %9s  %s", "share", "median ms", "p99 ms", "cpu ms", "bytes", "route, replies"));
        for (RouteModel route : model.routes()) {
            out.println(line(
                    "%6.1f%% %9.2f %9.2f %9s %9.0f  %s: %s",
                    route.share() * 100,
                    route.timeMillis().at(0.5),
                    route.timeMillis().at(0.99),
                    route.processorMillis() == 0 ? "-" : line("%.2f", route.processorMillis()),
                    route.replies().get(0).size().mean(),
                    route.request().route(),
                    route.replies().stream().map(StandInShowCommand::reply).collect(Collectors.joining(", "))));
        }
        out.flush();
    }

    private static String reply(ReplyModel reply) {
        return reply.share() == 1
                ? String.valueOf(reply.status())
                : line("%d (%.1f%%)", reply.status(), reply.share() * 100);
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
