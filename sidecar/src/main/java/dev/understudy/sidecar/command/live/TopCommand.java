package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** {@code understudy top}: the status again and again, in place on a terminal, one after the other elsewhere. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Follows a running sidecar. On a terminal the screen is refreshed in place; q or Ctrl-C "
                + "ends it. Elsewhere each refresh is printed below the last, without control characters.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:ended on request", "2:the sidecar can't be reached"})
public final class TopCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Seconds from one look to the next, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    private double interval = 1;

    @Option(names = "--once", description = "Looks once.")
    private boolean once;

    private @Nullable JsonNode seen;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(interval >= 0.1 && interval <= 3600)) {
            throw new ParameterException(
                    spec.commandLine(), "--interval: " + interval + " (expected: 0.1 to 3600 seconds)");
        }
        ControlClient client = control.client(spec);
        if (once || !Terminal.isThere()) {
            return print(client);
        }
        return follow(client);
    }

    /** A sidecar that goes away ends this; restarting it in between isn't waited for. */
    private int print(ControlClient client) throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        do {
            lines(client).forEach(spec.commandLine().getOut()::println);
            spec.commandLine().getOut().println();
            spec.commandLine().getOut().flush();
        } while (!once && !spec.commandLine().getOut().checkError() && !never.await(pace().toMillis(), MILLISECONDS));
        return Exit.FINE;
    }

    private int follow(ControlClient client) throws IOException, InterruptedException {
        try (Terminal terminal = Terminal.open()) {
            do {
                terminal.show(lines(client));
            } while (!terminal.toldToQuit(pace()));
            return Exit.FINE;
        }
    }

    private List<String> lines(ControlClient client) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        lines.add("understudy  " + client.base() + "  "
                + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
        lines.add("");
        lines.addAll(look(client.get("/v1/status")));
        return lines;
    }

    /** With what was lost since the last look, so that what is being lost now stands out from what once was. */
    List<String> look(JsonNode status) {
        List<String> lines = StatusScreen.lines(status, seen == null ? status : seen);
        seen = status;
        return lines;
    }

    private Duration pace() {
        return Duration.ofMillis((long) (interval * 1000));
    }
}
