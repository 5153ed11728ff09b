package dev.understudy.it.stage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A command that a user would type, run from the root of the checkout, with its output in a file. */
public final class Child implements AutoCloseable {
    /** Programs that live for some seconds here: what the second compiler would do for them takes longer. */
    private static final Set<String> PROGRAMS = Set.of("sidecar", "aggregator");

    private final Process process;
    private final Path output;

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    public static Child start(Path output, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Checkout.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        int program = command.indexOf("./understudy") + 1;
        if (program > 0 && program < command.size() && PROGRAMS.contains(command.get(program))) {
            builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        }
        return new Child(builder.start(), output);
    }

    public int exitCode(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running after " + atMost.toSeconds() + " s:\n" + output());
        }
        return process.exitValue();
    }

    public String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }

    public Process process() {
        return process;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        // while it still writes, the folder with its files can't be deleted
        process.destroyForcibly().onExit().join();
    }
}
