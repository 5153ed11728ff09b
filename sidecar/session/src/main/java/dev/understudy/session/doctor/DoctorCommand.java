package dev.understudy.session.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.session.doctor.HealthFinding.Level;
import dev.understudy.session.ledger.Sessions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy doctor}: each thing that programs need of this machine, with the way out where it isn't there. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Checks whether this machine has what the programs need, and shows the way out where it doesn't.",
            "Nothing is changed, and no check takes longer than its time limit."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:some commands or settings won't work here, which the warnings name",
            "2:no program works here, or wrong options"
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");
    private static final int MOST_PORTS = 100;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9090,9091",
            split = ",",
            description = "Ports that are to be free (default: ${DEFAULT-VALUE}, the control ports).")
    private int[] ports = {};

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long each check may take, 1 to 600 (default: ${DEFAULT-VALUE}).")
    private int limit = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException, JsonProcessingException {
        if (limit < 1 || limit > 600) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--limit': " + limit + " (expected: 1 to 600)");
        }
        if (ports.length > MOST_PORTS || Arrays.stream(ports).anyMatch(port -> port < 1 || port > 65_535)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Invalid value for option '--port' (expected: up to " + MOST_PORTS + " numbers from 1 to 65535)");
        }
        List<HealthFinding> findings = Examination.run(checks(System.getenv()), Duration.ofSeconds(limit));
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? json(findings) : text(findings));
        out.flush();
        return code(findings);
    }

    private List<HealthCheck> checks(Map<String, String> environment) {
        Duration time = Duration.ofSeconds(limit);
        Path home = Path.of(System.getProperty("user.home"));
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String run = environment.getOrDefault("UNDERSTUDY_RUN", "");
        Path tokens = run.isEmpty() ? home.resolve(".understudy") : Path.of(run);
        Path sessions = Sessions.directory("root".equals(System.getProperty("user.name")), environment, home);
        List<Integer> wanted = Arrays.stream(ports).boxed().toList();
        return List.of(
                new HealthCheck("java", JvmHealth::version),
                new HealthCheck("attach", name -> JvmHealth.attach(name, PROC, temporary)),
                new HealthCheck("files", name -> JvmHealth.openFiles(name, PROC)),
                new HealthCheck("ports", name -> KernelHealth.ports(name, PROC, wanted)),
                new HealthCheck("clock", name -> KernelHealth.clock(name, SYS, Instant.now())),
                new HealthCheck("cgroup", name -> KernelHealth.cgroup(name, SYS)),
                new HealthCheck("rights", ProgramHealth::rights),
                new HealthCheck("engine", name -> ProgramHealth.engine(name, time.dividedBy(3))),
                new HealthCheck("criu", name -> ProgramHealth.criu(name, environment)),
                new HealthCheck("filter", name -> ProgramHealth.packetFilter(name, time, PROC)),
                new HealthCheck(
                        "shm",
                        name -> SpaceHealth.of(
                                name,
                                Path.of("/dev/shm"),
                                64L << 20,
                                "rings take half of it: give the container --shm-size, or set tap.directory")),
                new HealthCheck(
                        "tokens",
                        name -> SpaceHealth.of(
                                name, tokens, 1L << 20, "set UNDERSTUDY_RUN to a writable folder, or control.token")),
                new HealthCheck(
                        "sessions",
                        name -> SpaceHealth.of(
                                name, sessions, 256L << 20, "understudy debug keeps its ledger and images there")),
                new HealthCheck("left", name -> SessionHealth.left(name, new Sessions(sessions, Clock.systemUTC()))));
    }

    static int code(List<HealthFinding> findings) {
        return findings.stream()
                .map(HealthFinding::level)
                .max(Level::compareTo)
                .map(worst -> switch (worst) {
                    case OK -> Exit.FINE;
                    case WARN -> Exit.ATTENTION;
                    case FAIL -> Exit.WRONG;
                })
                .orElse(Exit.FINE);
    }

    static String text(List<HealthFinding> findings) {
        StringBuilder text = new StringBuilder();
        for (HealthFinding finding : findings) {
            text.append("%-5s %-9s %s%n".formatted(finding.level().word(), finding.name(), finding.text()));
            if (!finding.wayOut().isEmpty()) {
                text.append(" ".repeat(16)).append(finding.wayOut()).append(System.lineSeparator());
            }
        }
        return text
                + "ok %d, warnings %d, failures %d"
                        .formatted(count(findings, Level.OK), count(findings, Level.WARN), count(findings, Level.FAIL));
    }

    static String json(List<HealthFinding> findings) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode all = mapper.createObjectNode();
        ArrayNode checks = all.putArray("checks");
        for (HealthFinding finding : findings) {
            ObjectNode check = checks.addObject()
                    .put("name", finding.name())
                    .put("level", finding.level().word())
                    .put("finding", finding.text());
            if (!finding.wayOut().isEmpty()) {
                check.put("wayOut", finding.wayOut());
            }
        }
        all.put("ok", count(findings, Level.OK));
        all.put("warnings", count(findings, Level.WARN));
        all.put("failures", count(findings, Level.FAIL));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    }

    private static long count(List<HealthFinding> findings, Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }
}
