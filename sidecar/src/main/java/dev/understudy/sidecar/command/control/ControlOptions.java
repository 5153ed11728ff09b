package dev.understudy.sidecar.command.control;

import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private TlsOptions tls = new TlsOptions();

    /**
     * What asks it.
     *
     * @param spec names the command in the message when the URL is none
     * @throws IOException if a file of TLS can't be read; the message names it
     */
    public ControlClient client(CommandSpec spec) throws IOException {
        return client(spec, PortOwner.SIDECAR, url, token, tls);
    }

    /** @param owner is to answer at that address */
    static ControlClient client(CommandSpec spec, PortOwner owner, String url, String token, TlsOptions tls)
            throws IOException {
        try {
            URI base = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            if ("http".equals(base.getScheme()) && tls.given() != null) {
                throw new ParameterException(
                        spec.commandLine(), tls.given() + ": of no use with " + url + " (expected: --url https://…)");
            }
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return new ControlClient(owner, base, token, tls.read(spec, owner));
            }
        } catch (IllegalArgumentException malformed) {
            // said below
        }
        throw new ParameterException(
                spec.commandLine(), "--url: " + url + " (expected: an address such as http://127.0.0.1:9090)");
    }
}
