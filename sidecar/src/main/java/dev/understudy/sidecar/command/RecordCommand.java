package dev.understudy.sidecar.command;

import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import dev.understudy.sidecar.command.live.RecordLiveCommand;
import dev.understudy.sidecar.record.StreamRecorder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy record}: relays, and keeps what it relays in a file. */
@Command(
        name = "record",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "[start|stop|status]",
        subcommands = {RecordLiveCommand.Start.class, RecordLiveCommand.Stop.class, RecordLiveCommand.Status.class},
        description = {
            "Relays clients to an address and records all traffic in a file, until SIGTERM or Ctrl-C. "
                    + "The commands start, stop and status control the recording of a running sidecar. They "
                    + "need none of these options.",
            "",
            "The file contains everything as it was sent, passwords and cookies included. Only its "
                    + "owner can read it; protect it as you protect the traffic.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped, and all of it is in the file",
            "1:stopped, and something is missing",
            "2:couldn't begin"
        })
final class RecordCommand implements Callable<Integer> {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @ArgGroup(exclusive = false, multiplicity = "0..1", heading = "")
    private @Nullable Ends ends;

    @Option(
            names = "--max-size",
            defaultValue = "1GiB",
            paramLabel = "SIZE",
            converter = SettingConverter.Bytes.class,
            description = "What the file may grow to; relaying goes on beyond that (default: ${DEFAULT-VALUE}).")
    private long most = 1L << 30;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final CountDownLatch stopped;

    RecordCommand(CountDownLatch stopped) {
        this.stopped = stopped;
    }

    /** All three, or none where a running sidecar is meant. */
    static final class Ends {
        @Option(
                names = "--listen",
                required = true,
                paramLabel = "HOST:PORT",
                converter = Address.class,
                description = "Where clients connect.")
        private InetSocketAddress listen = new InetSocketAddress(0);

        @Option(
                names = "--to",
                required = true,
                paramLabel = "HOST:PORT",
                converter = Address.class,
                description = "Where they are relayed to.")
        private InetSocketAddress to = new InetSocketAddress(0);

        @Option(names = "--file", required = true, paramLabel = "FILE", description = "A new file.")
        private Path file = Path.of("");
    }

    @Override
    public Integer call() throws InterruptedException {
        Ends given = ends;
        if (given == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing: --listen, --to and --file; or start, stop or status, for what a running sidecar records");
        }
        PrintWriter err = spec.commandLine().getErr();
        LogFormat.TEXT.use();
        try {
            return record(given, RecordingWriter.create(given.file, most));
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println("understudy record: " + notToBeHad);
            return Exit.WRONG;
        }
    }

    private int record(Ends given, RecordingWriter recording) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        EventLoops loops = EventLoops.open();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        LaneMetrics metrics = new LaneMetrics(registry, "record");
        StopSignal signals = null;
        try {
            InetSocketAddress local = new InetSocketAddress(given.listen.getHostString(), given.listen.getPort());
            RelayConfig relay = new RelayConfig("record", local, given.to.getHostString(), given.to.getPort());
            Listener listener = Listener.open(relay, new StreamRecorder(loops, recording, metrics), loops, registry);
            out.println("understudy record ready: " + dev.understudy.relay.connect.Address.spell(listener.address())
                    + " file=" + given.file);
            out.flush();
            signals = StopSignal.on(stopped::countDown, listener::close);
            stopped.await();
            listener.drain(DRAIN);
        } finally {
            loops.close();
            recording.close();
            if (signals != null) {
                signals.close();
            }
        }
        boolean whole = recording.dropped() == 0 && metrics.losses().isEmpty();
        out.println("recorded " + metrics.opened() + " connections, " + recording.bytes() + " bytes"
                + (whole
                        ? ""
                        : "; not all of it: " + recording.dropped() + " bytes didn't fit, " + metrics.losses()
                                + (recording.ended().isEmpty() ? "" : ", since " + recording.ended())));
        out.flush();
        return whole ? Exit.FINE : Exit.ATTENTION;
    }

    /** {@code host:port}. */
    static final class Address implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String raw) {
            try {
                return Value.address().parse().apply(raw);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(
                        raw + " (expected: " + Value.address().expected() + ")");
            }
        }
    }
}
