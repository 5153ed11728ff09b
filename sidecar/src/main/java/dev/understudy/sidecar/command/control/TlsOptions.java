package dev.understudy.sidecar.command.control;

import dev.understudy.relay.tls.CallerTlsConfig;
import dev.understudy.relay.tls.KeyFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whom a command trusts, and what it identifies itself with, where a control port speaks TLS. */
final class TlsOptions {
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "For https: who may vouch for the control port, and nobody else, in PEM. Without it "
                    + "UNDERSTUDY_CONTROL_CA, or UNDERSTUDY_AGGREGATOR_CA for an aggregator, and without that whom "
                    + "this JVM trusts.")
    private @Nullable Path authorities;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "For https: what this command identifies itself with if the port asks, in PEM. Without it "
                    + "UNDERSTUDY_CONTROL_CERTIFICATE, or UNDERSTUDY_AGGREGATOR_CERTIFICATE.")
    private @Nullable Path certificate;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "Its key, in PEM: PKCS #8 without a password. Without it UNDERSTUDY_CONTROL_KEY, or "
                    + "UNDERSTUDY_AGGREGATOR_KEY.")
    private @Nullable Path key;

    /** The first of them that stands in the command line; null if none does. */
    @Nullable
    String given() {
        if (authorities != null) {
            return "--ca";
        }
        return certificate != null ? "--certificate" : key != null ? "--key" : null;
    }

    /**
     * What is set, here or in the environment.
     *
     * @param spec names the command in the message when a certificate has no key, or a key no certificate
     */
    CallerTlsConfig read(CommandSpec spec, PortOwner owner) {
        Path chain = given(certificate, owner.variable("CERTIFICATE"));
        Path secret = given(key, owner.variable("KEY"));
        if ((chain == null) != (secret == null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    chain == null
                            ? "--certificate: missing (expected: the certificate of --key " + secret + ")"
                            : "--key: missing (expected: the key of --certificate " + chain + ")");
        }
        KeyFiles own = chain == null || secret == null ? null : new KeyFiles(chain, secret);
        return new CallerTlsConfig(given(authorities, owner.variable("CA")), own);
    }

    private static @Nullable Path given(@Nullable Path option, String variable) {
        if (option != null) {
            return option;
        }
        String value = System.getenv(variable);
        return value == null || value.isEmpty() ? null : Path.of(value);
    }
}
