package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy events}: a line for whatever happens in a running sidecar. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Follows a running sidecar and prints one line per event, until Ctrl-C.",
            "",
            "loss        debug copies lost something: the reason, how many connections, how many bytes",
            "overflow    the same, because the window was full",
            "divergence  a reply of the debug JVM is DIFFERENT: which exchange, and the first place that differs",
            "debug       a debug JVM became reachable or unreachable",
            "production  an address of production is up or down",
            "tee         a tee was switched",
            "recording   a recording began or ended: which file, and why",
            "resync      a resync of the debug JVM began or ended: why, and the result",
            "lanes       the debug side's process was started again: how often up to now",
            "order       a caller of the control port changed something: who, what, and the status",
            "missed      events came faster than they were read",
            "window      with --window: the state of the window, at most once a second",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended on request",
            "1:the sidecar ended the stream",
            "2:the sidecar can't be reached, or refused"
        })
public final class EventsCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Prints each event as a line of JSON: event, id, data.")
    private boolean json;

    @Option(names = "--window", description = "Tells of the window, too.")
    private boolean window;

    @Option(names = "--count", paramLabel = "N", description = "Ends after that many lines; without it, never.")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--after",
            paramLabel = "ID",
            defaultValue = "",
            description = "Begins behind the event with that id, as far as the sidecar still knows it.")
    private String after = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (count < 1) {
            throw new ParameterException(spec.commandLine(), "--count: " + count + " (expected: at least 1)");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (BufferedReader lines = control.client(spec).follow("/v1/events", after)) {
            return follow(lines, out) ? Exit.FINE : ended();
        }
    }

    private int ended() {
        spec.commandLine().getErr().println("understudy events: the sidecar ended the stream");
        return Exit.ATTENTION;
    }

    /** Whether as many were printed as were wanted, or nobody reads them any more. */
    private boolean follow(BufferedReader lines, PrintWriter out) {
        long printed = 0;
        String name = "";
        String id = null;
        String line = next(lines);
        for (; line != null && !out.checkError(); line = next(lines)) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
                id = null;
            } else if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ") && (window || !name.equals("window"))) {
                out.println(spelled(name, id, line.substring("data: ".length())));
                out.flush();
                printed++;
                if (printed == count) {
                    return true;
                }
            }
        }
        return line != null;
    }

    /** A stream that breaks off has ended. */
    private static @Nullable String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException brokenOff) {
            return null;
        }
    }

    private String spelled(String name, @Nullable String id, String data) {
        try {
            JsonNode said = JSON.readTree(data);
            if (json) {
                ObjectNode line = JSON.createObjectNode();
                line.put("event", name).put("id", id).set("data", said);
                return JSON.writeValueAsString(line);
            }
            long at = said.path("at").asLong(System.currentTimeMillis());
            String values = said.properties().stream()
                    .filter(field -> !field.getKey().equals("at"))
                    .map(field -> field.getKey() + "=" + spelled(field.getValue()))
                    .collect(Collectors.joining(" "));
            String time = TIME.format(Instant.ofEpochMilli(at).atZone(ZoneId.systemDefault()));
            return "%s  %-10s  %s".formatted(time, name, values);
        } catch (IOException malformed) {
            return name + " " + data;
        }
    }

    private static String spelled(JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(","));
        }
        String text = value.asText();
        return text.isEmpty() || text.indexOf(' ') >= 0 ? value.toString() : text;
    }
}
