package dev.understudy.sidecar.command.control;

import java.net.URI;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which sidecar a command talks to, and what lets it in. */
public final class ControlOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:UNDERSTUDY_CONTROL_URL:-http://127.0.0.1:9090}",
            description = {
                "The sidecar's control port. Without it UNDERSTUDY_CONTROL_URL,",
                "and without that http://127.0.0.1:9090."
            })
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:UNDERSTUDY_CONTROL_TOKEN:-}",
            description = {
                "A token of the control port. Others on this machine can read a command",
                "line: UNDERSTUDY_CONTROL_TOKEN is the better place. Without either, the",
                "one that a sidecar of the same user has generated is found by itself."
            })
    private String token = "";

    /**
     * What asks it.
     *
     * @param spec names the command in the message when the URL is none
     */
    public ControlClient client(CommandSpec spec) {
        return client(spec, "sidecar", url, token);
    }

    /** @param whom is to answer at that address */
    static ControlClient client(CommandSpec spec, String whom, String url, String token) {
        try {
            URI base = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return new ControlClient(whom, base, token);
            }
        } catch (IllegalArgumentException malformed) {
            // said below
        }
        throw new ParameterException(
                spec.commandLine(), "--url: " + url + " (expected: an address such as http://127.0.0.1:9090)");
    }
}
