package dev.understudy.sidecar.command.live;

import dev.understudy.sidecar.command.control.AggregatorOptions;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy ca}: hands out what a debug JVM has to trust where it speaks TLS with the aggregator. */
@Command(
        name = "ca",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = "Saves the certificate of the authority that signs a running aggregator's debug ports, "
                + "for the truststore of a debug JVM that uses TLS with its upstreams. Without options it "
                + "prints the certificate as PEM.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "2:the aggregator can't be reached, or a file not be written"})
public final class CaCommand implements Callable<Integer> {
    @Mixin
    private AggregatorOptions aggregator = new AggregatorOptions();

    @Option(names = "--pem", paramLabel = "FILE", description = "Writes the certificate in PEM to this file.")
    private @Nullable Path pem;

    @Option(
            names = "--p12",
            paramLabel = "FILE",
            description = {
                "Writes a PKCS 12 truststore to this file; its password is changeit.",
                "For -Djavax.net.ssl.trustStore=FILE -Djavax.net.ssl.trustStorePassword=changeit"
            })
    private @Nullable Path truststore;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ControlClient client = aggregator.client(spec);
        byte[] certificate = client.bytes("/v1/ca.crt");
        if (pem != null) {
            Files.write(pem, certificate);
        }
        if (truststore != null) {
            Files.write(truststore, client.bytes("/v1/ca.p12"));
        }
        if (pem == null && truststore == null) {
            out.print(new String(certificate, StandardCharsets.US_ASCII));
            out.flush();
        }
        return Exit.FINE;
    }
}
