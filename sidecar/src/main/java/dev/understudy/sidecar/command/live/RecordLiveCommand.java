package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** {@code understudy record start|stop|status}: what a running sidecar records. */
public abstract class RecordLiveCommand implements Callable<Integer> {
    private static final int LOOKS = 100;
    private static final int PAUSE_MILLIS = 100;

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Does it, and prints what is so then. */
    abstract int run(ControlClient client) throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run(control.client(spec));
    }

    final void print(JsonNode recording) {
        List<String> lines = new ArrayList<>();
        StatusScreen.recording(lines, recording);
        String told = lines.isEmpty() ? "  nothing was recorded" : lines.get(0);
        spec.commandLine().getOut().println(recording.path("listener").asText() + told);
        spec.commandLine().getOut().flush();
    }

    static String path(String listener) {
        return "/v1/listeners/" + ControlClient.segment(listener) + "/recording";
    }

    /** Whether the last recording holds all that was said while it was on. */
    static boolean isWhole(JsonNode recording) {
        return recording.path("incomplete").asLong()
                                + recording.path("lostBytes").asLong()
                        == 0
                && recording.path("ended").asText().isEmpty();
    }

    /** {@code understudy record start}. */
    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            versionProvider = Exit.Version.class,
            description = "Starts recording a listener of a running sidecar, in a new file in record.directory. "
                    + "Open connections are recorded from their next HTTP request on. Clients and debug JVM "
                    + "aren't affected.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:it records", "2:the sidecar can't be reached, or can't record"})
    public static final class Start extends RecordLiveCommand {
        @Parameters(index = "0", paramLabel = "LISTENER", description = "The listener's name.")
        private String listener = "";

        @Override
        int run(ControlClient client) throws IOException, InterruptedException {
            print(client.put(path(listener), Map.of("mode", "on")));
            return Exit.FINE;
        }
    }

    /** {@code understudy record stop}. */
    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            versionProvider = Exit.Version.class,
            description = "Stops the recording of a listener, and waits until the file is closed.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:ended, and all of it is in the file",
                "1:ended, and something is missing",
                "2:the sidecar can't be reached, or there is no such listener"
            })
    public static final class Stop extends RecordLiveCommand {
        @Parameters(index = "0", paramLabel = "LISTENER", description = "The listener's name.")
        private String listener = "";

        @Override
        int run(ControlClient client) throws IOException, InterruptedException {
            JsonNode recording = client.put(path(listener), Map.of("mode", "off"));
            CountDownLatch never = new CountDownLatch(1);
            for (int n = 0; n < LOOKS && recording.path("state").asText().equals("stopping"); n++) {
                never.await(PAUSE_MILLIS, MILLISECONDS);
                recording = client.get(path(listener));
            }
            print(recording);
            return isWhole(recording) ? Exit.FINE : Exit.ATTENTION;
        }
    }

    /** {@code understudy record status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Exit.Version.class,
            description = "Shows the current or latest recording of a running sidecar.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:nothing is missing",
                "1:something is missing, or a recording ended by itself",
                "2:the sidecar can't be reached, or there is no such listener"
            })
    public static final class Status extends RecordLiveCommand {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "LISTENER",
                description = "The listener's name; all if it is left out.")
        private @Nullable String listener;

        @Override
        int run(ControlClient client) throws IOException, InterruptedException {
            boolean whole = true;
            List<String> names = new ArrayList<>();
            if (listener != null) {
                names.add(listener);
            } else {
                client.get("/v1/status")
                        .path("listeners")
                        .forEach(one -> names.add(one.path("name").asText()));
            }
            for (String name : names) {
                JsonNode recording = client.get(path(name));
                print(recording);
                whole &= isWhole(recording);
            }
            return whole ? Exit.FINE : Exit.ATTENTION;
        }
    }
}
