package dev.understudy.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of an environment, whose output goes to a file. Safe for any thread. */
public final class ChildProcess implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);

    /** As much of the output as is ever searched, or shown. */
    private static final int MOST_OUTPUT = 4 << 20;

    private final String name;
    private final Process process;
    private final Path log;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param name stands in messages
     * @param log takes both streams of its output
     * @param environment is added to this JVM's
     * @throws UncheckedIOException if the program can't be started
     */
    public static ChildProcess start(String name, Path log, List<String> line, Map<String, String> environment) {
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(name, builder.start(), log);
        } catch (IOException failed) {
            throw new UncheckedIOException(name + ": can't be started: " + failed, failed);
        }
    }

    /** The file with its output. */
    public Path log() {
        return log;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /**
     * Waits for a line of its output.
     *
     * @throws IllegalStateException if it doesn't come in time or the process has ended; with the end of the output
     */
    public MatchResult await(Pattern pattern, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            Matcher found = pattern.matcher(output(0));
            if (found.find()) {
                return found.toMatchResult();
            }
            if (!alive) {
                throw new IllegalStateException(
                        name + ": ended with " + process.exitValue() + " before it was ready; " + tail());
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        name + ": not ready after " + patience + " (expected: " + pattern + "); " + tail());
            }
            pause();
        }
    }

    /** The last 20 lines of the output, under the name of its file. */
    public String tail() {
        String output = output(16 << 10);
        List<String> lines = output.lines().toList();
        return log + ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /** The output's beginning; or its end, if a length is given. */
    private String output(int last) {
        try (SeekableByteChannel file = Files.newByteChannel(log)) {
            long begin = last == 0 ? 0 : Math.max(0, file.size() - last);
            file.position(begin);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MOST_OUTPUT, file.size() - begin));
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /** Sends it SIGTERM, and doesn't wait. */
    public void stop() {
        process.destroy();
    }

    /** Ends it by SIGTERM, and after five seconds by SIGKILL, with all that it has started. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
