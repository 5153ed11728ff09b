package dev.understudy.session.bundle.replay;

import dev.understudy.session.bundle.BundleException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that runs for as long as a replay does. Of what it prints the last lines are kept, in bounded memory. Safe
 * for all threads.
 */
final class ReplayProgram implements AutoCloseable {
    private static final int MOST_LINES = 50;
    private static final int LONGEST_LINE = 1 << 16;
    private static final int TAIL = 10;
    private static final long POLL_MILLIS = 20;
    private static final int DIAL_MILLIS = 1000;
    private static final int READ_MILLIS = 2000;
    private static final long GRACE_SECONDS = 5;

    private final String name;
    private final Process process;
    private final Thread reader;
    private final Deque<String> lines = new ArrayDeque<>();

    private ReplayProgram(String name, Process process) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(this::read, "understudy-output");
        reader.setDaemon(true);
    }

    /**
     * Starts a program.
     *
     * @param name in messages
     * @param environment what it gets besides this process's own variables, but for ours
     * @throws BundleException if it can't be started
     */
    static ReplayProgram start(String name, List<String> command, Map<String, String> environment, Path directory)
            throws BundleException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("UNDERSTUDY_"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            ReplayProgram program = new ReplayProgram(name, process);
            program.reader.start();
            return program;
        } catch (IOException notStarted) {
            throw new BundleException(name + " didn't start: " + notStarted.getMessage(), notStarted);
        }
    }

    private void read() {
        try (InputStream in = process.getInputStream()) {
            StringBuilder line = new StringBuilder();
            byte[] part = new byte[4096];
            for (int length = in.read(part); length >= 0; length = in.read(part)) {
                for (int at = 0; at < length; at++) {
                    if (part[at] == '\n') {
                        printed(line.toString());
                        line.setLength(0);
                    } else if (line.length() < LONGEST_LINE) {
                        line.append((char) (part[at] & 0xff));
                    }
                }
            }
            if (line.length() > 0) {
                printed(line.toString());
            }
        } catch (IOException ended) {
            // with the program
        }
    }

    private synchronized void printed(String latin) {
        lines.addLast(new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
        if (lines.size() > MOST_LINES) {
            lines.removeFirst();
        }
    }

    private synchronized Optional<String> line(String words) {
        return lines.stream().filter(line -> line.startsWith(words)).findFirst();
    }

    /**
     * Waits for one of its last lines that begins with the given words.
     *
     * @throws BundleException if it ends before, or takes longer
     */
    String awaitLine(String words, Duration limit) throws BundleException, InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            Optional<String> line = line(words);
            if (line.isPresent()) {
                return line.get();
            }
            pause(begun, limit);
        }
    }

    /**
     * Waits until it accepts connections at a port of loopback.
     *
     * @throws BundleException if it ends before, or takes longer
     */
    InetSocketAddress awaitPort(int port, Duration limit) throws BundleException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long begun = System.nanoTime();
        while (true) {
            try (Socket dialled = new Socket()) {
                dialled.connect(address, DIAL_MILLIS);
                return address;
            } catch (IOException notYet) {
                pause(begun, limit);
            }
        }
    }

    private void pause(long begun, Duration limit) throws BundleException, InterruptedException {
        if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            // what it printed last is on its way; what it started may hold its output open for long
            reader.join(READ_MILLIS);
            throw new BundleException(name + " ended with exit code " + process.exitValue() + tail());
        }
        if (System.nanoTime() - begun > limit.toNanos()) {
            throw new BundleException(name + " isn't ready after " + limit.toSeconds() + " s" + tail());
        }
    }

    private synchronized String tail() {
        List<String> all = List.copyOf(lines);
        return all.isEmpty()
                ? "; it printed nothing"
                : "; its last lines:\n" + String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
    }

    /** Ends it with what it started, at once if it doesn't end by itself. */
    @Override
    public void close() {
        List<ProcessHandle> below = process.descendants().toList();
        // also where a Ctrl-C has interrupted this thread: it isn't left while its folder is removed
        boolean interrupted = Thread.interrupted();
        process.destroy();
        interrupted |= awaitEnd();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        interrupted |= awaitEnd();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for as long as it may take to end; whether that was interrupted. */
    private boolean awaitEnd() {
        try {
            process.onExit().get(GRACE_SECONDS, TimeUnit.SECONDS);
            return false;
        } catch (InterruptedException hurry) {
            return true;
        } catch (ExecutionException | TimeoutException lives) {
            return false;
        }
    }
}
