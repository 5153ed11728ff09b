package dev.understudy.example.demo;

import dev.understudy.example.demo.stage.Addresses;
import dev.understudy.example.demo.stage.Installation;
import dev.understudy.example.demo.stage.Stage;
import dev.understudy.example.demo.stage.StartFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
        name = "understudy demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a real service (HTTP, PostgreSQL, Redis, a second HTTP service) and its understudy on free loopback"
                    + " ports, sends it requests, and reports what became of them.",
            "Exit code: 0 if all invariants held and the defect in the service was found, "
                    + "else 1; 2 if it could not be run."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int NOT_RUN = 2;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "3000",
            description = "requests of all clients together (default: ${DEFAULT-VALUE})")
    private int requests;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "6",
            description = "clients, 1 to 64, each with its own connection and session (default: ${DEFAULT-VALUE})")
    private int clients;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "60",
            description = "requests a second, 0 for as fast as they are answered (default: ${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "what the clients ask for (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--keep", description = "leave everything running after the report, until Ctrl-C")
    private boolean keep;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            defaultValue = "",
            description = "export traces and metrics there, e.g. http://127.0.0.1:4318")
    private String otlp = "";

    @Option(names = "--json", paramLabel = "FILE", description = "write the report as JSON, too")
    private @Nullable Path json;

    @Option(names = "--root", paramLabel = "FOLDER", defaultValue = ".", hidden = true)
    private Path root = Path.of(".");

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new DemoCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        check(requests >= 1, "--requests: " + requests + " (expected: at least 1)");
        check(clients >= 1 && clients <= 64, "--clients: " + clients + " (expected: 1 to 64)");
        check(rate >= 0, "--rate: " + rate + " (expected: 0 or more)");
        Narrator narrator = Narrator.onStandardOutput();
        Stage stage;
        try {
            stage = Stage.prepare(new Installation(root.toAbsolutePath().normalize()), otlp);
        } catch (StartFailed e) {
            System.err.println(e.getMessage());
            return NOT_RUN;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(stage::close, "curtain"));
        try {
            boolean held = new Performance(stage, narrator, requests, clients, seed, rate)
                    .run(json == null ? null : json.toAbsolutePath());
            if (!held) {
                narrator.print(List.of(stage.whereLogsStay()));
            }
            if (keep) {
                stayOpen(stage, narrator);
            }
            return held ? 0 : FAILED;
        } catch (StartFailed e) {
            if (!stage.isClosed()) {
                System.err.println(e.getMessage());
                System.err.println(stage.whereLogsStay());
            }
            return NOT_RUN;
        } catch (IOException | SQLException e) {
            System.err.println("The report couldn't be made: " + e);
            System.err.println(stage.whereLogsStay());
            return FAILED;
        } finally {
            stage.close();
        }
    }

    private void check(boolean right, String otherwise) {
        if (!right && spec != null) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static void stayOpen(Stage stage, Narrator narrator) throws InterruptedException {
        Addresses at = stage.addresses();
        narrator.print(List.of(
                "",
                "Still running:",
                "  the shop, through the sidecar   " + at.front() + "/products",
                "  all about it, in the browser    ./understudy console --url " + at.sidecarControlUrl(),
                "  one screen about it             ./understudy status --url " + at.sidecarControlUrl(),
                "  the same, as it changes         ./understudy top --url " + at.sidecarControlUrl(),
                "  what the agent samples          ./understudy probes list --url " + at.sidecarControlUrl(),
                "  the debug JVM's upstream calls  ./understudy match list --url " + at.aggregatorControlUrl(),
                "  logs and settings               " + stage.folder(),
                "Ctrl-C stops everything (from elsewhere: kill "
                        + ProcessHandle.current().pid() + ")."));
        new CountDownLatch(1).await();
    }
}
