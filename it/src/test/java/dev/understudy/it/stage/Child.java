package dev.understudy.it.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.awaitility.Awaitility.await;

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

    /**
     * Signals twice: the program accepts no more connections after the first, and after the second doesn't wait for
     * those that clients keep.
     *
     * @param signal such as {@code INT}
     * @param port where it listens
     * @return the exit code
     */
    public int endAtOnce(String signal, int port, Duration atMost) throws IOException, InterruptedException {
        signal(signal);
        await("the first signal").atMost(atMost).until(() -> !listens(port) || !process.isAlive());
        signal(signal);
        return exitCode(atMost);
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notAnyMore) {
            return false;
        }
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
