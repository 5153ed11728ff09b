package dev.understudy.session.target.survey;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A {@link ShopProgram} that runs. */
public final class Shop implements AutoCloseable {
    private final Process process;
    private final List<Integer> ports;

    private Shop(Process process) throws IOException {
        this.process = process;
        String ready =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        assertThat(ready).as("first line of the shop").startsWith("ready");
        this.ports = Arrays.stream(ready.split(" ", -1))
                .skip(1)
                .map(Integer::valueOf)
                .toList();
    }

    /** Starts one: behind a prefix, with options of the JVM, and words for the program. */
    public static Shop start(
            List<String> prefix, List<String> options, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ShopProgram.class.getName()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new Shop(builder.start());
    }

    public static Shop start(String... words) throws IOException {
        return start(List.of(), List.of(), Map.of(), words);
    }

    public long pid() {
        return process.pid();
    }

    /** Of those that it listens on, in the order of its words. */
    public int port(int index) {
        return ports.get(index);
    }

    /** As {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        kill();
    }
}
