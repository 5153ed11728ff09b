package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that adds a log point, a snapshot or a watched field, waits for the agents, and takes it back if one of
 * them can't read it.
 */
abstract class AddingCommand implements Callable<Integer> {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?)/([smh])");

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(
            names = "--when",
            paramLabel = "CONDITION",
            description =
                    "Only when it holds: \"this.items.size > 3 && coupon != null\". README.md tells what can be asked.")
    private String when = "";

    @Option(
            names = "--rate",
            paramLabel = "N/s",
            defaultValue = "10/s",
            description =
                    "How often at most, a second, a minute or an hour: 10/s, 5/m, 1/h (default: ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--quota",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How often at most in all, in each debug JVM (default: ${DEFAULT-VALUE}).")
    private int quota;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The class and its method or field. */
    abstract String method();

    /** The place, or how a field is used. */
    abstract String at();

    /** What is told; "" for a snapshot. */
    abstract String message();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ControlClient client = control.client(spec);
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("method", method());
        point.put("at", at());
        point.put("snapshot", message().isEmpty());
        point.put("message", message());
        point.put("when", when);
        point.put("rate", perSecond());
        point.put("quota", quota);
        JsonNode answer = client.post("/v1/orders/points", point);
        String id = answer.path("added").asText();
        out.println(PointCommands.words(id, at(), method()));
        int code = Following.await(client, answer, out);
        if (isRefused(client.get("/v1/orders"), id)) {
            client.delete("/v1/orders/points/" + id);
            out.println(id + " was taken back");
            out.flush();
            return Exit.WRONG;
        }
        return code;
    }

    private static boolean isRefused(JsonNode orders, String id) {
        for (JsonNode agent : orders.path("agents")) {
            for (JsonNode problem : agent.path("problems")) {
                if (problem.asText().startsWith("points: " + id + ": ")) {
                    return true;
                }
            }
        }
        return false;
    }

    private double perSecond() {
        Matcher found = RATE.matcher(rate);
        if (!found.matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--rate: " + rate + " (expected: such as 10/s, 5/m or 1/h)");
        }
        double number = Double.parseDouble(found.group(1));
        String unit = found.group(2);
        return unit.equals("s") ? number : unit.equals("m") ? number / 60 : number / 3600;
    }
}
