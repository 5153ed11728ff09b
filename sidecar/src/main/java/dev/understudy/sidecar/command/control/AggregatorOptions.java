package dev.understudy.sidecar.command.control;

import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which aggregator a command talks to, and what lets it in. */
public final class AggregatorOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:UNDERSTUDY_AGGREGATOR_URL:-http://127.0.0.1:9091}",
            description = {
                "The aggregator's control port. Without it UNDERSTUDY_AGGREGATOR_URL,",
                "and without that http://127.0.0.1:9091."
            })
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:UNDERSTUDY_AGGREGATOR_TOKEN:-}",
            description = {
                "A token of the control port. Others on this machine can read a command",
                "line: UNDERSTUDY_AGGREGATOR_TOKEN is the better place. Without either, the",
                "one that an aggregator of the same user has generated is found by itself."
            })
    private String token = "";

    @Mixin
    private TlsOptions tls = new TlsOptions();

    /**
     * What asks it.
     *
     * @param spec names the command in the message when the URL is none
     * @throws IOException if a file of TLS can't be read; the message names it
     */
    public ControlClient client(CommandSpec spec) throws IOException {
        return ControlOptions.client(spec, PortOwner.AGGREGATOR, url, token, tls);
    }

    /**
     * What asks it where a command's own options name the sidecar. TLS is set in the environment.
     *
     * @param token "" for the one that an aggregator of the same user has generated
     * @throws IOException if a file of TLS can't be read; the message names it
     */
    public static ControlClient client(CommandSpec spec, String url, String token) throws IOException {
        return ControlOptions.client(spec, PortOwner.AGGREGATOR, url, token, new TlsOptions());
    }
}
