package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.steer.EpochLine;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** {@code understudy resync}: brings the debug JVM back into production's state, or says how that went so far. */
@Command(
        name = "resync",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Resets the debug JVM to production's state: ends its copies, runs the steps under resync "
                + "in the settings, and resumes the input. Waits until that is done and prints the result. "
                + "Clients aren't affected.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:something of it failed, so that the debug JVM's state isn't known; it gets input nevertheless",
            "2:the sidecar can't be reached, has nothing to do, or is at it already"
        })
public final class ResyncCommand implements Callable<Integer> {
    private static final int PAUSE_MILLIS = 100;

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--epochs", description = "Only prints the session's epochs up to now, a line each.")
    private boolean epochs;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ControlClient client = control.client(spec);
        if (epochs) {
            JsonNode all = client.get("/v1/resync");
            all.path("epochs").forEach(epoch -> print(all, epoch));
            return Exit.FINE;
        }
        JsonNode all = client.post("/v1/resync");
        int number = newest(all).path("epoch").asInt();
        CountDownLatch never = new CountDownLatch(1);
        while (epoch(all, number).path("state").asText().equals("running")) {
            never.await(PAUSE_MILLIS, MILLISECONDS);
            all = client.get("/v1/resync");
        }
        JsonNode ours = epoch(all, number);
        print(all, ours);
        return ours.path("state").asText().equals("done") ? Exit.FINE : Exit.ATTENTION;
    }

    private void print(JsonNode all, JsonNode epoch) {
        spec.commandLine()
                .getOut()
                .println("epoch " + EpochLine.of(all.path("debug").asText(), epoch));
        spec.commandLine().getOut().flush();
    }

    private static JsonNode newest(JsonNode all) {
        return all.path("epochs").path(all.path("epochs").size() - 1);
    }

    /** The next one may have begun since. */
    private static JsonNode epoch(JsonNode all, int number) {
        for (JsonNode epoch : all.path("epochs")) {
            if (epoch.path("epoch").asInt() == number) {
                return epoch;
            }
        }
        return all.path("epochs").path(-1);
    }
}
