package dev.understudy.it.bench.process;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real program that runs in the background, with its own folder and its output in a file there. */
public final class Tool implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

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

    /** Waits until the program listens on {@code port} of loopback. */
    public Tool awaitPort(int port) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (probe.isConnected()) {
                    return this;
                }
            } catch (IOException notYet) {
                giveUpAfter(begun, "port " + port);
            }
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

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
