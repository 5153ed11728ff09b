package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy tee}: reads or turns a listener's tee switch. */
@Command(
        name = "tee",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Switches a listener's tee on, off or to paused, or says what it stands at. Clients notice nothing.",
            "",
            "on      the debug JVM gets the input; connections that are open already are joined at their next request",
            "paused  input is kept as long as the window holds, and the debug JVM gets nothing until it is on again",
            "off     nothing is copied, and what is on its way to the debug JVM is dropped and counted",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "2:the sidecar couldn't be asked, or there is no such listener"})
final class TeeCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Parameters(index = "0", paramLabel = "LISTENER", description = "The listener's name.")
    private String listener = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "on|paused|off", description = "What to turn it to.")
    private @Nullable String mode;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        String path = "/v1/listeners/"
                + URLEncoder.encode(listener, StandardCharsets.UTF_8).replace("+", "%20") + "/tee";
        try {
            JsonNode stands = mode == null
                    ? control.client(spec).get(path)
                    : control.client(spec)
                            .put(path, Map.of("mode", TeeMode.of(mode).word()));
            spec.commandLine()
                    .getOut()
                    .println(stands.path("listener").asText() + ": "
                            + stands.path("mode").asText());
            return Main.FINE;
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()), unknown);
        } catch (IOException unanswered) {
            spec.commandLine().getErr().println("understudy tee: " + unanswered.getMessage());
            return Main.WRONG;
        }
    }
}
