package dev.understudy.sidecar;

import dev.understudy.sidecar.command.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code understudy sidecar} in a process of its own, which is ready, and is killed at the latest when this is closed.
 */
public final class SidecarProgram implements AutoCloseable {
    public final Process process;
    private final BufferedReader output;
    private final Path log;
    private final String ready;

    private SidecarProgram(Process process, Path log) throws IOException {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
        this.ready = String.valueOf(output.readLine());
        if (!ready.startsWith("understudy sidecar ready: ")) {
            close();
            throw new AssertionError("not ready: " + ready + "\n" + log());
        }
    }

    /** Run by a small JVM with these settings, with {@code log}, beside them, as its standard error. */
    public static SidecarProgram start(Path settings) throws IOException {
        return start(settings, program -> {});
    }

    /**
     * The same, after {@code more} has changed the environment, added arguments, or led its standard error elsewhere.
     */
    public static SidecarProgram start(Path settings, Consumer<ProcessBuilder> more) throws IOException {
        return start(settings, List.of("-Xmx128m"), more);
    }

    /** The same, with these options for the JVM. */
    public static SidecarProgram start(Path settings, List<String> options, Consumer<ProcessBuilder> more)
            throws IOException {
        Path log = settings.resolveSibling("log");
        ProcessBuilder program = program(settings, options).redirectError(log.toFile());
        more.accept(program);
        return new SidecarProgram(program.start(), log);
    }

    /** What starts it. */
    public static ProcessBuilder program(Path settings, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("sidecar", "--config", settings.toString()));
        return new ProcessBuilder(command);
    }

    /** Where clients find {@code listener}, or operators "control": host and port. */
    public String address(String listener) {
        assertThat(ready).contains(" " + listener + "=");
        return ready.replaceAll(".* " + listener + "=(\\S+).*", "$1");
    }

    public int port(String listener) {
        return Integer.parseInt(address(listener).replaceAll(".*:", ""));
    }

    /** Its standard error, if that goes to a file. */
    public String log() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** What it prints from now on, once it has ended. */
    public List<String> lastLines() {
        return output.lines().toList();
    }

    /** Like {@code kill}, and unlike {@link Process#destroy} without closing its output. */
    public void terminate() {
        process.toHandle().destroy();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        output.close();
    }
}
