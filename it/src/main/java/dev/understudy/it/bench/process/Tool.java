package dev.understudy.it.bench.process;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real program that runs in the background, with its own folder and its output in a file there. */
public final class Tool implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<Path> SOCKETS = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String LISTENING = "0A";

    private final Process process;
    private final Path output;

    private Tool(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Whether {@code program}, a path or a name on the PATH, can be run. */
    public static boolean installed(String program) {
        if (program.contains("/")) {
            return Files.isExecutable(Path.of(program));
        }
        for (String folder : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Starts {@code command} in {@code folder}; it ends with this JVM at the latest. */
    public static Tool start(Path folder, List<String> command) throws IOException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new Tool(process, output);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits until the program listens on {@code port}. */
    public Tool awaitPort(int port) throws IOException {
        long begun = System.nanoTime();
        while (!isListening(port)) {
            giveUpAfter(begun, "port " + port);
        }
        return this;
    }

    /**
     * Asks the kernel ({@code proc(5)}) where that tells: to a server a connection is a client, and some never get over
     * one that leaves at once.
     */
    private static boolean isListening(int port) throws IOException {
        if (!Files.isReadable(SOCKETS.get(0))) {
            return accepts(port);
        }
        String address = String.format(Locale.ROOT, ":%04X", port);
        for (Path table : SOCKETS) {
            // sl local_address rem_address st …
            for (String line : Files.isReadable(table) ? Files.readAllLines(table) : List.<String>of()) {
                String[] cells = line.strip().split("\\s+", 5);
                if (cells.length == 5 && cells[1].endsWith(address) && cells[3].equals(LISTENING)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean accepts(int port) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** What it has said so far. */
    public String output() throws IOException {
        return Files.readString(output);
    }

    /** Waits for {@code text} in the output and returns all of it. */
    public String awaitOutput(String text) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            String said = Files.readString(output);
            if (said.contains(text) && said.endsWith("\n")) {
                return said;
            }
            giveUpAfter(begun, "'" + text + "'");
        }
    }

    private void giveUpAfter(long begun, String what) throws IOException {
        if (!process.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
            throw new IOException("waited for " + what + " in vain:\n" + Files.readString(output));
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
