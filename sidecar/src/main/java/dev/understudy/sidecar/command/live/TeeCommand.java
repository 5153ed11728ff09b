package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy tee}: reads or turns a listener's tee switch. */
@Command(
        name = "tee",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Switches a listener's tee, changes its sampling, or shows both. Clients aren't affected.",
            "",
            "on      the debug JVM gets the input; open connections are joined at their next HTTP request",
            "paused  input waits in the window until the tee is on again",
            "off     nothing is copied; input that still waits for the debug JVM is dropped and counted",
            "",
            "Sampling applies to requests and connections from then on. One of these options replaces "
                    + "all that were set before: --requests 100%% alone selects everything.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "2:the sidecar can't be reached, or there is no such listener"})
public final class TeeCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Parameters(index = "0", paramLabel = "LISTENER", description = "The listener's name.")
    private String listener = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "on|paused|off", description = "What to turn it to.")
    private @Nullable String mode;

    @Option(names = "--connections", paramLabel = "SHARE", description = "Only so many of the connections, e.g. 25%%.")
    private @Nullable String connections;

    @Option(names = "--requests", paramLabel = "SHARE", description = "Only so many of the requests, or Redis keys.")
    private @Nullable String requests;

    @Option(
            names = "--header",
            paramLabel = "NAME",
            description = "Choose requests by this header's value instead of by method and target.")
    private @Nullable String header;

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "Only requests that begin with it, or with another one.")
    private @Nullable List<String> paths;

    @Option(
            names = "--redis-key",
            paramLabel = "PREFIX",
            description = "Only Redis commands about a key that begins so.")
    private @Nullable List<String> keys;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        String path = "/v1/listeners/" + ControlClient.segment(listener) + "/tee";
        try {
            ControlClient client = control.client(spec);
            boolean asks =
                    Stream.of(mode, connections, requests, header, paths, keys).allMatch(Objects::isNull);
            JsonNode stands = asks ? client.get(path) : client.put(path, wanted());
            spec.commandLine().getOut().println(line(stands));
            return Exit.FINE;
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()), unknown);
        }
    }

    private Map<String, @Nullable Object> wanted() {
        Map<String, @Nullable Object> sample = new LinkedHashMap<>();
        sample.put("connections", connections);
        sample.put("requests", requests);
        sample.put("header", header);
        sample.put("paths", paths);
        sample.put("keys", keys);
        Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
        wanted.put("mode", mode == null ? null : TeeMode.of(mode).word());
        wanted.put("sample", sample);
        return wanted;
    }

    /** Of what is sampled only what isn't everything. */
    private static String line(JsonNode stands) {
        JsonNode sample = stands.path("sample");
        StringBuilder line = new StringBuilder(stands.path("listener").asText())
                .append(": ")
                .append(stands.path("mode").asText());
        for (String share : new String[] {"connections", "requests"}) {
            if (!sample.path(share).asText("100%").equals("100%")) {
                line.append(", ")
                        .append(sample.path(share).asText())
                        .append(" of the ")
                        .append(share);
            }
        }
        if (!sample.path("header").asText().isEmpty()) {
            line.append(", by ").append(sample.path("header").asText());
        }
        for (String list : new String[] {"paths", "keys"}) {
            if (!sample.path(list).isEmpty()) {
                line.append(", ").append(list).append(' ').append(sample.path(list));
            }
        }
        return line.toString();
    }
}
