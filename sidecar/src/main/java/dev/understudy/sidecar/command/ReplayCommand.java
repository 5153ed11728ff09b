package dev.understudy.sidecar.command;

import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.report.RecordingFilter;
import dev.understudy.sidecar.command.report.RedactOption;
import dev.understudy.sidecar.command.report.ReplayFiles;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import dev.understudy.sidecar.replay.ReplayFilter;
import dev.understudy.sidecar.replay.ReplayReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy replay}: sends a recording again and compares the replies. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Sends the client side of a recording to another address and compares the replies with "
                    + "the recorded ones: HTTP/1.1 and HTTP/2 by exchange, everything else by bytes.",
            "",
            "A request is sent at its recorded time, and not before the replies that its connection "
                    + "had received by then. A chosen connection is sent whole, because its requests depend on "
                    + "each other. With --exchange it is sent up to that exchange, and only that reply is "
                    + "compared.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all replies are the same or equivalent",
            "1:some are not, or none was compared",
            "2:couldn't begin, or no connection is chosen"
        })
final class ReplayCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The recording.")
    private Path file = Path.of("");

    @Mixin
    private RecordingFilter filter = new RecordingFilter();

    @Mixin
    private RedactOption redact = new RedactOption();

    @Option(
            names = "--exchange",
            paramLabel = "N|@TIME",
            converter = Exchange.class,
            description = "Only up to the connection's exchange of that number (see inspect "
                    + "--requests), or that arrived then, as"
                    + " understudy suspects tells; of what isn't HTTP a turn, as both "
                    + "tell. For a single connection.")
    private @Nullable ReplayFilter wanted;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "HOST:PORT",
            converter = RecordCommand.Address.class,
            description = "Where to send it.")
    private InetSocketAddress to = new InetSocketAddress(0);

    @Option(
            names = "--speed",
            defaultValue = "1",
            paramLabel = "N|max",
            converter = Speed.class,
            description = "How many times the recorded pace, or max for none (default: ${DEFAULT-VALUE}).")
    private double speed = 1;

    @Option(
            names = "--patience",
            defaultValue = "10s",
            paramLabel = "TIME",
            converter = Time.class,
            description = "How long a reply is waited for before its connection goes on (default: ${DEFAULT-VALUE}).")
    private Duration patience = Duration.ofSeconds(10);

    @Mixin
    private ReplayFiles files = new ReplayFiles();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        long begun = System.nanoTime();
        Contents contents = Contents.read(file);
        List<Contents.Summary> chosen = contents.connections().stream()
                .filter(summary -> filter.takes(contents, summary))
                .toList();
        if (chosen.isEmpty()) {
            throw new IOException("none of the %d connections in %s is chosen"
                    .formatted(contents.connections().size(), file));
        }
        Outcome outcome = play(chosen);
        outcome.told().forEach(out::println);
        out.println(outcome.summary((System.nanoTime() - begun) / 1_000_000));
        out.flush();
        ReplayReport report = new ReplayReport(outcome, outcome.isSame() && outcome.compared() > 0, List.of());
        files.write(report, report.json());
        return report.isGood() ? Exit.FINE : Exit.ATTENTION;
    }

    private Outcome play(List<Contents.Summary> chosen) throws IOException, InterruptedException {
        if (wanted == null) {
            return Replay.run(file, chosen, to, speed, patience, redact.masking());
        }
        if (chosen.size() > 1) {
            throw new IOException(
                    chosen.size() + " connections are chosen (expected: --exchange with one, by --connection)");
        }
        return Replay.upTo(wanted, file, chosen.get(0), to, speed, patience, redact.masking());
    }

    /** {@code 3}, {@code @8372412}. */
    static final class Exchange implements ITypeConverter<ReplayFilter> {
        @Override
        public ReplayFilter convert(String raw) {
            try {
                return ReplayFilter.parse(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    /** A positive number, or {@code max}. */
    static final class Speed implements ITypeConverter<Double> {
        @Override
        public Double convert(String raw) {
            try {
                double speed = "max".equals(raw) ? Double.POSITIVE_INFINITY : Double.parseDouble(raw);
                if (speed > 0) {
                    return speed;
                }
            } catch (NumberFormatException wrong) {
                throw new TypeConversionException(raw + " (expected: a number above 0, or max)");
            }
            throw new TypeConversionException(raw + " (expected: a number above 0, or max)");
        }
    }

    /** {@code 250ms}, {@code 10s}. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String raw) {
            try {
                return Value.duration().parse().apply(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(
                        raw + " (expected: " + Value.duration().expected() + ")");
            }
        }
    }
}
