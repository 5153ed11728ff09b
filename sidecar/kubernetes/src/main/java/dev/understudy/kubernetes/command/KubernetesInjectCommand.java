package dev.understudy.kubernetes.command;

import dev.understudy.kubernetes.inject.InjectionOptions;
import dev.understudy.kubernetes.inject.InjectionResult;
import dev.understudy.kubernetes.inject.ManifestInjection;
import dev.understudy.kubernetes.inject.UpstreamSpec;
import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestReader;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy kubernetes inject}: manifests in, manifests with an understudy out. */
@Command(
        name = "inject",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Puts an understudy into a service's manifests and writes all of them to standard output.",
            "",
            "A Deployment's pods get a sidecar, Services lead to it, and production's upstream calls go through an "
                    + "aggregator. A second Deployment of the same image is the debug JVM. What needs no change is "
                    + "written as it came.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the manifests are written; notes stand on standard error",
            "2:they can't be, or wrong options"
        })
final class KubernetesInjectCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final int LAST_PORT = 65_535;

    @Option(
            names = {"-f", "--file"},
            defaultValue = STANDARD_INPUT,
            paramLabel = "FILE",
            description = "The manifests, YAML of at most 1 MiB; - reads standard input (default).")
    private String file = STANDARD_INPUT;

    @Option(
            names = "--deployment",
            defaultValue = "",
            paramLabel = "NAME",
            description = "The Deployment, where there are several.")
    private String deployment = "";

    @Option(
            names = "--container",
            defaultValue = "",
            paramLabel = "NAME",
            description = "The service's container, where its pod has several.")
    private String container = "";

    @Option(
            names = "--production-port",
            defaultValue = "0",
            paramLabel = "PORT",
            description = "The service's port in its container. Without it the containerPort, if there is one alone.")
    private int productionPort;

    @Option(
            names = "--protocol",
            defaultValue = "http",
            paramLabel = "PROTOCOL",
            description = "What clients speak: http, redis, postgres or tcp (default: ${DEFAULT-VALUE}).")
    private String protocol = "http";

    @Option(
            names = "--upstream",
            paramLabel = "NAME=HOST:PORT,PROTOCOL",
            description =
                    "What the service calls, as it names it, by postgres, mysql, redis, http or tcp. For each one "
                            + "once. Without it the annotation understudy.dev/upstreams has them, separated by "
                            + "semicolons.")
    private List<String> upstreams = List.of();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Sets a variable of both JVMs. {UPSTREAM.host}, {UPSTREAM.port} and {UPSTREAM.address} are "
                    + "where each finds the aggregator. HOST:PORT of an upstream is replaced without this.")
    private Map<String, String> env = new LinkedHashMap<>();

    @Option(names = "--debug-env", paramLabel = "NAME=VALUE", description = "The same for the debug JVM alone.")
    private Map<String, String> debugEnv = new LinkedHashMap<>();

    @Option(
            names = "--keep-secret",
            paramLabel = "NAME",
            description = "A variable whose Secret the debug JVM gets, too. Others are not-a-password there.")
    private Set<String> keptSecrets = new LinkedHashSet<>();

    @Option(
            names = "--service",
            defaultValue = "",
            paramLabel = "NAME",
            description = "The Service that shall lead to the sidecar. Without it all of the input that lead to the "
                    + "service's port.")
    private String service = "";

    @Option(
            names = "--sidecar-port",
            defaultValue = "8081",
            paramLabel = "PORT",
            description = "Where the sidecar listens in the pod (default: ${DEFAULT-VALUE}).")
    private int sidecarPort;

    @Option(
            names = "--control-port",
            defaultValue = "9090",
            paramLabel = "PORT",
            description = "The sidecar's control port; probes go to the next but one (default: ${DEFAULT-VALUE}).")
    private int controlPort;

    @Option(
            names = "--secret",
            defaultValue = "understudy",
            paramLabel = "NAME",
            description =
                    "The Secret with the keys token and agent-token, which isn't made (default: ${DEFAULT-VALUE}).")
    private String secret = "understudy";

    @Option(
            names = "--image-prefix",
            defaultValue = "understudy/",
            paramLabel = "PREFIX",
            description = "What stands before sidecar, aggregator and agent in the images' names (default: "
                    + "${DEFAULT-VALUE}).")
    private String imagePrefix = "understudy/";

    @Option(
            names = "--image-tag",
            defaultValue = "",
            paramLabel = "TAG",
            description = "The images' tag (default: none, which is latest).")
    private String imageTag = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        check("--production-port", productionPort, 0, LAST_PORT);
        check("--sidecar-port", sidecarPort, 1, LAST_PORT);
        check("--control-port", controlPort, 1, LAST_PORT - 2);
        check("--protocol", protocol, "http|redis|postgres|tcp", "http, redis, postgres or tcp");
        check("--secret", secret, "[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?", "the name of a Secret");
        check("--image-prefix", imagePrefix, "[A-Za-z0-9._:/-]{0,200}", "such as registry.example:5000/understudy/");
        check("--image-tag", imageTag, "[A-Za-z0-9_.-]{0,128}", "such as 0.1.0");
        PrintWriter err = spec.commandLine().getErr();
        try {
            InjectionResult result = ManifestInjection.inject(read(), options());
            PrintWriter out = spec.commandLine().getOut();
            out.print(result.text());
            out.flush();
            result.notes().forEach(note -> err.println("note: " + note));
            err.flush();
            return out.checkError() ? Exit.WRONG : Exit.FINE;
        } catch (IOException | InvalidPathException wrong) {
            err.println("understudy kubernetes inject: " + wrong.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private List<Manifest> read() throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return ManifestReader.read("standard input", System.in);
        }
        Path path = Path.of(file);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new ManifestException(
                    file + ": no file that can be read (expected: manifests, or - for standard input)");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return ManifestReader.read(file, in);
        }
    }

    private InjectionOptions options() throws ManifestException {
        List<UpstreamSpec> parsed = new ArrayList<>();
        for (String upstream : upstreams) {
            parsed.add(UpstreamSpec.parse(upstream));
        }
        return new InjectionOptions(
                deployment,
                container,
                productionPort,
                protocol,
                parsed,
                service,
                env,
                debugEnv,
                keptSecrets,
                sidecarPort,
                controlPort,
                secret,
                imagePrefix,
                imageTag);
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    private void check(String option, String value, String form, String expected) {
        if (!value.matches(form)) {
            throw new ParameterException(spec.commandLine(), option + ": " + value + " (expected: " + expected + ")");
        }
    }
}
