package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A child JVM whose output goes to a log file. */
public final class Program implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final long GRACE_MILLIS = 8_000;
    private static final int TAIL = 30;

    private final String name;
    private final ProcessBuilder command;
    private final Path log;
    private volatile Process process;

    private Program(String name, ProcessBuilder command, Path log) throws IOException {
        this.name = name;
        this.command = command;
        this.log = log;
        this.process = command.start();
    }

    /** Starts {@code java options… -jar jar arguments…} with this JVM's own java and the given environment on top. */
    static Program start(
            String name,
            Folder folder,
            List<String> options,
            Path jar,
            List<String> arguments,
            Map<String, String> environment)
            throws StartFailed {
        if (!Files.isRegularFile(jar)) {
            throw new StartFailed(name + ": " + jar + " is missing (expected: mvn package has run)");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + folder.file("tmp"));
        command.addAll(options);
        command.add("-jar");
        command.add(jar.toString());
        command.addAll(arguments);
        Path log = folder.file(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(Program::isSettingOfAnother);
        builder.environment().putAll(environment);
        try {
            return new Program(name, builder, log);
        } catch (IOException e) {
            throw new StartFailed(name + " didn't start", e);
        }
    }

    /** Sends a signal by its POSIX name: {@code STOP}, {@code CONT}, {@code KILL}. */
    public void signal(String signal) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException(name + " can't be sent SIG" + signal);
        }
    }

    /** Waits for the process to end and starts it again as it was; its log begins anew. */
    public void restart() throws IOException, InterruptedException {
        process.waitFor();
        process = command.start();
    }

    /** Waits until {@code GET url} answers 200. */
    public void awaitHealthy(String url, Duration atMost) throws StartFailed, InterruptedException {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(5))
                .build();
        await(url + " answers", atMost, () -> {
            try {
                return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
            } catch (IOException notYet) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
    }

    /** Waits until a line of the output starts with the given words. */
    public void awaitLine(String words, Duration atMost) throws StartFailed, InterruptedException {
        await("a line \"" + words + "\"", atMost, () -> lines().stream().anyMatch(line -> line.startsWith(words)));
    }

    private void await(String what, Duration atMost, BooleanSupplier condition)
            throws StartFailed, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new StartFailed(name + " ended with exit code " + process.exitValue() + tail());
            }
            if (System.nanoTime() > deadline) {
                throw new StartFailed(
                        name + " isn't ready after " + atMost.toSeconds() + " s (waited for " + what + ")" + tail());
            }
        }
    }

    /** The end of the log, to be shown when something went wrong. */
    public String tail() {
        List<String> lines = lines();
        List<String> last = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
        return "\n--- the last lines of " + log + ":\n" + String.join("\n", last);
    }

    private List<String> lines() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the process to end; {@link #close} waits for that. */
    void terminate() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Where tokens are kept is the user's choice for all programs alike. */
    private static boolean isSettingOfAnother(String variable) {
        return variable.startsWith("SPRING_")
                || (variable.startsWith("UNDERSTUDY_") && !variable.equals("UNDERSTUDY_RUN"));
    }
}
