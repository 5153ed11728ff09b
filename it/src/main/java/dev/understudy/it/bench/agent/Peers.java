package dev.understudy.it.bench.agent;

import dev.understudy.it.bench.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Programs of other projects, fetched from Maven Central into {@code it/target/peers} when they aren't there yet.
 *
 * <p>They are run and nothing else: no part of the product or its build needs them.
 */
final class Peers {
    static final String OPENTELEMETRY = "io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.1";
    static final String BYTEMAN = "org.jboss.byteman:byteman:4.0.25";
    static final String KIEKER = "net.kieker-monitoring:kieker:2.0.2:jar:aspectj";
    static final String H2 = "com.h2database:h2:2.4.240";
    private static final String BTRACE_VERSION = "2.2.6";
    static final String BTRACE = "io.btrace:btrace-agent:" + BTRACE_VERSION;
    /** Without these it says so on standard error, and weaves nothing. */
    private static final List<String> BTRACE_NEEDS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.reflect=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.perf=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.perf=ALL-UNNAMED");

    private static final String BTRACE_BOOT = "io.btrace:btrace-boot:" + BTRACE_VERSION;
    private static final String BTRACE_CLIENT = "io.btrace:btrace-client:" + BTRACE_VERSION;
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy";

    private final Path libraries;
    private final Path folder;
    private final TreeSet<String> missing = new TreeSet<>();

    /**
     * Peers that are fetched when they are asked for.
     *
     * @param root the checkout
     * @param folder for scripts
     */
    Peers(Path root, Path folder) {
        this.libraries = root.resolve(Path.of("it", "target", "peers"));
        this.folder = folder;
    }

    /** What couldn't be had, by its coordinates. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** The file behind some coordinates; empty if it can't be fetched. */
    Optional<Path> file(String coordinates) throws IOException, InterruptedException {
        String[] parts = coordinates.split(":", -1);
        Path version = libraries.resolve(parts[1] + "-" + parts[2]);
        Path file = version.resolve(parts[1] + (parts.length > 4 ? "-" + parts[4] : "") + ".jar");
        if (Files.exists(file)) {
            return Optional.of(file);
        }
        try {
            Shell.run(List.of(
                    "mvn",
                    "-q",
                    "-B",
                    "-ntp",
                    COPY,
                    "-Dartifact=" + coordinates,
                    "-DoutputDirectory=" + version,
                    "-Dmdep.stripVersion=true"));
            return Optional.of(file);
        } catch (IOException unreachable) {
            missing.add(coordinates);
            return Optional.empty();
        }
    }

    /** The agent of OpenTelemetry, exporting nothing; {@code more} are its settings. */
    List<Candidate> openTelemetry(String name, String... more) throws IOException, InterruptedException {
        return candidate(
                name,
                file(OPENTELEMETRY),
                "",
                withSettings(
                        List.of(more),
                        "-Dotel.traces.exporter=none",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none"));
    }

    /** Byteman with one rule at the entry of a method. */
    List<Candidate> byteman(String name, String className, String method, String condition)
            throws IOException, InterruptedException {
        Path script = Files.writeString(
                Files.createTempFile(folder, "rule", ".btm"),
                "RULE calls\nCLASS %s\nMETHOD %s\nAT ENTRY\nIF %s\nDO incrementCounter(\"calls\")\nENDRULE\n"
                        .formatted(className, method, condition));
        return candidate(name, file(BYTEMAN), "=script:" + script, List.of());
    }

    /** Kieker's records of a package's calls, which nobody keeps. */
    List<Candidate> kieker(String name, String packageName) throws IOException, InterruptedException {
        Path aspects = Files.writeString(
                Files.createTempFile(folder, "aop", ".xml"),
                ("<aspectj><weaver><include within=\"%s..*\"/></weaver><aspects><aspect "
                                + "name=\"kieker.monitoring.probe.aspectj"
                                + ".operationExecution.OperationExecutionAspectFull\"/></aspects></aspectj>")
                        .formatted(packageName));
        return candidate(
                name,
                file(KIEKER),
                "",
                List.of(
                        "-Dorg.aspectj.weaver.loadtime.configuration=" + aspects.toUri(),
                        "-Dkieker.monitoring.skipDefaultAOPConfiguration=true",
                        "-Dkieker.monitoring.writer=kieker.monitoring.writer.dump.DumpWriter"));
    }

    /**
     * BTrace with one handler.
     *
     * @param handler annotations and a method of a BTrace script, in Java
     */
    List<Candidate> btrace(String name, String handler) throws IOException, InterruptedException {
        Optional<Path> agent = file(BTRACE);
        Optional<Path> boot = file(BTRACE_BOOT);
        Optional<Path> client = file(BTRACE_CLIENT);
        if (agent.isEmpty() || boot.isEmpty() || client.isEmpty()) {
            return List.of();
        }
        Path scripts = Files.createTempDirectory(folder, "btrace");
        Path home = Files.createDirectories(scripts.resolve("libs"));
        Path jar = Files.copy(agent.get(), home.resolve("btrace-agent.jar"));
        Files.copy(boot.get(), home.resolve("btrace-boot.jar"));
        Path source = Files.writeString(scripts.resolve("Calls.java"), """
                import org.openjdk.btrace.core.annotations.*;
                import static org.openjdk.btrace.core.BTraceUtils.*;
                @BTrace public class Calls {
                    private static long calls;
                    private static long nanos;
                %s
                }
                """.formatted(handler));
        Shell.run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                client.get() + ":" + boot.get() + ":" + agent.get(),
                "org.openjdk.btrace.compiler.Compiler",
                "-d",
                scripts.toString(),
                source.toString()));
        return candidate(
                name,
                Optional.of(jar),
                "=noServer=true,script=" + scripts.resolve("Calls.class") + ",scriptOutputFile="
                        + scripts.resolve("out"),
                BTRACE_NEEDS);
    }

    private static List<Candidate> candidate(String name, Optional<Path> jar, String arguments, List<String> settings) {
        if (jar.isEmpty()) {
            return List.of();
        }
        return List.of(Candidate.other(name, withSettings(settings, "-javaagent:" + jar.get() + arguments)));
    }

    private static List<String> withSettings(List<String> settings, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(settings);
        return all;
    }
}
