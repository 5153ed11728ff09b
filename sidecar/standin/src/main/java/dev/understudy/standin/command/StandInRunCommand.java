package dev.understudy.standin.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.run.StandIn;
import dev.understudy.standin.run.StandInCounts;
import dev.understudy.standin.run.StandInOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy standin run}: plays a service until it is stopped. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Plays a service by its model: answers alike, and takes as long.",
            "",
            "The same request gets the same reply. A route that the model hasn't gets a 404 that says so.",
            ""
        })
public final class StandInRunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "MODEL", description = "A file of understudy standin learn.")
    private Path model = Path.of("");

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:8080",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where it listens; port 0 lets the system choose (default: ${DEFAULT-VALUE}).")
    private InetSocketAddress listen = new InetSocketAddress("127.0.0.1", 8080);

    @Option(
            names = "--speed",
            defaultValue = "1",
            paramLabel = "FACTOR",
            description = "What its times are divided by (default: ${DEFAULT-VALUE}).")
    private double speed = 1;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Another one gives other replies to the same requests (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--no-processor", description = "Wait where the service computed, and allocate nothing for it.")
    private boolean noProcessor;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** An address as in a settings file. */
    static final class AddressConverter implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String raw) {
            try {
                return Value.address().parse().apply(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(raw + " (expected: host:port)");
            }
        }
    }

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            ServiceModel read = ModelFile.read(model);
            try (StandIn standIn = StandIn.start(read, options())) {
                return play(read, standIn);
            }
        } catch (IOException | ConfigException notToBeHad) {
            err.println("understudy standin run: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private StandInOptions options() {
        try {
            return new StandInOptions(listen, seed, speed, !noProcessor);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage(), wrong);
        }
    }

    private int play(ServiceModel read, StandIn standIn) {
        PrintWriter text = spec.commandLine().getOut();
        CountDownLatch stop = new CountDownLatch(1);
        InetSocketAddress address = standIn.address();
        text.println("understudy standin ready: " + read.service() + " with "
                + read.routes().size() + " routes on http://" + address.getHostString() + ":" + address.getPort());
        text.flush();
        StopSignal signals = StopSignal.on(stop::countDown, stop::countDown);
        try (signals) {
            stop.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        print(standIn.counts(), text);
        return Exit.FINE;
    }

    private static void print(StandInCounts counts, PrintWriter text) {
        counts.byRoute().forEach((route, count) -> text.println(route + ": " + count));
        if (counts.unknownRoutes() > 0) {
            text.println("routes that the model hasn't: " + counts.unknownRoutes() + " requests");
        }
        if (counts.refusals() > 0) {
            text.println("refused beyond its bounds: " + counts.refusals());
        }
        text.flush();
    }
}
