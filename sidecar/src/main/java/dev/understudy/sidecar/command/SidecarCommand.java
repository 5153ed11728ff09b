package dev.understudy.sidecar.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.log.LogFormat;
import dev.understudy.relay.split.ProxyRun;
import dev.understudy.relay.split.ProxyService;
import dev.understudy.relay.split.SplitProxy;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy sidecar}: reads the settings, starts a {@link Sidecar}, and stops it in good order at a signal. */
@Command(
        name = "sidecar",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Relays clients to production and sends a copy of their input to a debug JVM.",
        footer = {
            "",
            "Every setting of the file can be overridden by an environment variable (UNDERSTUDY_WINDOW_MEMORY=1GiB)",
            "and, above that, by --set window.memory=1GiB.",
            "SIGTERM and SIGINT stop it in good order (setting drain); a second one hurries.",
            "Exit codes: 0 stopped in good order, 1 failed, 2 wrong settings or an address that can't be had."
        })
final class SidecarCommand implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "sidecar.yaml",
            description = "The settings (default: ${DEFAULT-VALUE}).")
    private Path config = Path.of("sidecar.yaml");

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Overrides one setting; may be given several times.")
    private List<String> sets = List.of();

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "epoll or io_uring; the same as --set transport=NAME.")
    private @Nullable String transport;

    @Option(names = "--check", description = "Only checks the settings.")
    private boolean check;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "${env:UNDERSTUDY_LOG_FORMAT:-text}",
            description = "How log lines are written to standard error: text or json. Without it"
                    + " UNDERSTUDY_LOG_FORMAT, and without that text.")
    private LogFormat logFormat = LogFormat.TEXT;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;
    private final CountDownLatch stopped;

    SidecarCommand(Map<String, String> environment, CountDownLatch stopped) {
        this.environment = environment;
        this.stopped = stopped;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        logFormat.use();
        try {
            Problems problems = new Problems();
            SidecarConfig settings = SidecarConfig.read(config, new Overrides(environment, all(), problems), problems);
            if (check) {
                out.println(config + ": all settings are right");
                return Exit.FINE;
            }
            ProxyService.serve("understudy sidecar", () -> start(settings, out), stopped, out);
            return Exit.FINE;
        } catch (ConfigException wrong) {
            wrong.problems().forEach(err::println);
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println("understudy sidecar: " + notToBeHad.getMessage());
        }
        err.flush();
        return Exit.WRONG;
    }

    private ProxyRun start(SidecarConfig settings, PrintWriter out) throws IOException {
        return settings.tap().carrier() == TapConfig.Carrier.RING
                ? SplitProxy.start(new SplitSidecar(settings, laneArguments()), out)
                : new WholeSidecar(Sidecar.start(settings));
    }

    /** What the lane process needs to read the same settings. */
    private List<String> laneArguments() {
        List<String> arguments = new ArrayList<>(List.of("--config", config.toString()));
        all().forEach(set -> arguments.addAll(List.of("--set", set)));
        arguments.addAll(List.of("--log-format", logFormat.name().toLowerCase(Locale.ROOT)));
        return arguments;
    }

    private List<String> all() {
        return transport == null
                ? sets
                : Stream.concat(sets.stream(), Stream.of("transport=" + transport))
                        .toList();
    }
}
