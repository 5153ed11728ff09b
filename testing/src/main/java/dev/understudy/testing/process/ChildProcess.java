package dev.understudy.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
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
            Matcher found = pattern.matcher(LogText.beginning(log));
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

    /**
     * Waits for its end.
     *
     * @return its exit code
     * @throws IllegalStateException if it takes longer; with the end of the output
     */
    public int awaitEnd(Duration patience) {
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new IllegalStateException(name + ": not over after " + patience + "; " + tail());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /** The last 20 lines of the output, under the name of its file. */
    public String tail() {
        return LogText.tail(log);
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
