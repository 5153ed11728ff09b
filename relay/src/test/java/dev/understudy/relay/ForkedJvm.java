package dev.understudy.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A test program in a process of its own, which can be killed. Its first line of output says that it is ready. */
final class ForkedJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    final String ready;

    private ForkedJvm(Process process) throws IOException {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        assertThat(line).as("first line of the forked JVM").isNotNull();
        this.ready = line;
    }

    static ForkedJvm start(Class<?> program, String... arguments) throws IOException {
        return start(List.of(), program, arguments);
    }

    /** Behind {@code prefix}, such as a shell that sets a limit. */
    static ForkedJvm start(List<String> prefix, Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dio.netty.machineId=02:00:00:00:00:01",
                "-cp",
                System.getProperty("java.class.path")));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return new ForkedJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** The next line that it prints. */
    String line() throws IOException {
        String line = output.readLine();
        assertThat(line).as("a further line").isNotNull();
        return line;
    }

    /** The line that it answers to a byte of input. */
    String ask() throws IOException {
        process.getOutputStream().write('?');
        process.getOutputStream().flush();
        return line();
    }

    /** The rest of what it prints, up to its end. */
    List<String> rest() {
        return output.lines().toList();
    }

    /** {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    /** {@code kill}. */
    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
