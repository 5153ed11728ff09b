package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.report.RecordingFilter;
import dev.understudy.sidecar.command.report.RedactOption;
import dev.understudy.sidecar.command.report.ReplyConditionWord;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.reduce.ReduceRun;
import dev.understudy.sidecar.replay.ReplayFilter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy reduce}: the smallest request that fails. */
@Command(
        name = "reduce",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Finds the smallest request that still fails: sends an exchange of a recording to a debug JVM again and "
                    + "again, each time without some of its earlier requests, headers, cookies, parameters, form "
                    + "fields, JSON values or characters.",
            "",
            "Says first whether the failure is stable, comes by chance, or is gone. Then shows the smallest request "
                    + "that fails, and what it doesn't fail without. HTTP/1.1 only. The requests change the debug "
                    + "JVM's state; never name a production address.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the failure was reproduced",
            "1:the exchange did not fail again",
            "2:couldn't begin, or no such exchange"
        })
final class ReduceCommand implements Callable<Integer> {
    private static final long PROGRESS_NANOS = 2_000_000_000L;

    @Parameters(paramLabel = "FILE", description = "The recording.")
    private Path file = Path.of("");

    @Mixin
    private RecordingFilter filter = new RecordingFilter();

    @Mixin
    private RedactOption redact = new RedactOption();

    @Option(
            names = "--exchange",
            required = true,
            paramLabel = "N|@TIME",
            converter = ReplayCommand.Exchange.class,
            description = "The connection's exchange of that number, or that arrived then, as for replay.")
    private ReplayFilter exchange = new ReplayFilter(1, 0, 0);

    @Option(
            names = "--to",
            required = true,
            paramLabel = "HOST:PORT",
            converter = RecordCommand.Address.class,
            description = "The debug JVM.")
    private InetSocketAddress to = new InetSocketAddress(0);

    @Option(
            names = "--fails",
            paramLabel = "CONDITION",
            converter = ReplyConditionWord.class,
            description = "What holds of a failing reply: 'status 500', 'status 5xx', 'header NAME: VALUE*', "
                    + "'text TEXT', 'json /pointer < 0', 'slower 2s', 'reply', or one with 'no' before it. Named "
                    + "again, all must hold (default: status 5xx).")
    private List<ReplyCondition> fails = List.of(ReplyCondition.of("status 5xx"));

    @Option(
            names = "--attempts",
            defaultValue = "500",
            paramLabel = "N",
            converter = Count.class,
            description = "Try at most that many inputs (default: ${DEFAULT-VALUE}).")
    private int attempts = 500;

    @Option(
            names = "--limit",
            defaultValue = "2m",
            paramLabel = "TIME",
            converter = ReplayCommand.Time.class,
            description = "Try no further input after that time (default: ${DEFAULT-VALUE}).")
    private Duration limit = Duration.ofMinutes(2);

    @Option(
            names = "--patience",
            defaultValue = "10s",
            paramLabel = "TIME",
            converter = ReplayCommand.Time.class,
            description = "How long each reply is waited for (default: ${DEFAULT-VALUE}).")
    private Duration patience = Duration.ofSeconds(10);

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private long lastProgress = System.nanoTime();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Contents contents = Contents.read(file);
        List<Contents.Summary> chosen = contents.connections().stream()
                .filter(summary -> filter.takes(contents, summary))
                .toList();
        if (chosen.size() != 1) {
            throw new IOException("%d of the %d connections in %s are chosen (expected: one, by --connection)"
                    .formatted(chosen.size(), contents.connections().size(), file));
        }
        ReduceRun run = ReduceRun.of(
                file, chosen.get(0), exchange, to, fails, patience, attempts, limit, redact.masking(), this::progress);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(run.json()));
        } else {
            run.lines().forEach(out::println);
        }
        out.flush();
        return run.isReproduced() ? Exit.FINE : Exit.ATTENTION;
    }

    private void progress(int requests, int bytes) {
        long now = System.nanoTime();
        if (now - lastProgress > PROGRESS_NANOS) {
            lastProgress = now;
            spec.commandLine().getErr().printf("%d requests sent, %d bytes tried last%n", requests, bytes);
            spec.commandLine().getErr().flush();
        }
    }

    /** A number from 1 to a million. */
    static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String raw) {
            if (!raw.matches("[1-9]\\d{0,5}")) {
                throw new TypeConversionException(raw + " (expected: a number from 1 to 999999)");
            }
            return Integer.valueOf(raw);
        }
    }
}
