package dev.understudy.session.debug;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.survey.ListeningSockets;
import dev.understudy.session.target.survey.TargetSurveyor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Production, started by the session from its command. It isn't in the ledger: no undo ends a service. With the session
 * it ends in order, as a program in the foreground does.
 */
final class ColdStart implements AutoCloseable {
    private static final long POLL_MILLIS = 200;
    /** How long the set of its ports must stay the same: a service may open several. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private static final int TAIL = 20;
    private static final int MOST_LOG = 1 << 20;

    private final Process process;
    private final Path log;
    private final SessionProgress progress;
    private final CountDownLatch hurried;

    private ColdStart(Process process, Path log, SessionProgress progress, CountDownLatch hurried) {
        this.process = process;
        this.log = log;
        this.progress = progress;
        this.hurried = hurried;
    }

    /**
     * Starts it.
     *
     * @param user as whom; "" for this user
     * @param log gets what it prints; it must not be there
     * @param hurried has its end not wait for what is under way
     * @throws IOException if there is no such program or user
     */
    static ColdStart of(List<String> command, String user, Path log, SessionProgress progress, CountDownLatch hurried)
            throws IOException {
        Files.createFile(log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // a session of its own: Ctrl-C in a terminal is the session's
        List<String> words = new ArrayList<>(List.of("setsid"));
        if (!user.isEmpty()) {
            words.addAll(List.of("runuser", "-u", user, "--"));
        }
        words.addAll(command);
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        return new ColdStart(process, log, progress, hurried);
    }

    /** The number of a user; that of this process for "". */
    static int uid(String user) throws IOException, InterruptedException {
        HostCommand.Result id = HostCommand.run(
                Duration.ofSeconds(10), user.isEmpty() ? List.of("id", "-u") : List.of("id", "-u", "--", user));
        if (!id.isFine() || !id.lastLine().matches("\\d{1,9}")) {
            throw new IOException("--user: " + user + " (expected: a user of this machine)");
        }
        return Integer.parseInt(id.lastLine());
    }

    /**
     * Waits until a JVM of it listens, with progress.
     *
     * @return what was found; empty if the session was stopped
     * @throws TargetException if it ends before, or doesn't listen in time; with its last output
     */
    Optional<TargetSurvey> await(TargetSurveyor surveyor, Duration limit, CountDownLatch stopped)
            throws TargetException, InterruptedException {
        long began = System.nanoTime();
        long settledAt = began;
        Set<InetSocketAddress> before = Set.of();
        while (!stopped.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!process.isAlive()) {
                throw new TargetException("the command ended with " + process.exitValue() + " before it listened"
                        + CopyStart.last(this::output));
            }
            long now = System.nanoTime();
            long pid = listener();
            Set<InetSocketAddress> ports = pid == 0 ? Set.of() : ports(pid);
            if (!ports.equals(before)) {
                before = ports;
                settledAt = now;
            } else if (pid != 0 && now - settledAt > SETTLED.toNanos()) {
                TargetSurvey survey = surveyor.survey(pid);
                if (!survey.copiedPorts().isEmpty()) {
                    return Optional.of(survey);
                }
            }
            Duration elapsed = Duration.ofNanos(now - began);
            if (elapsed.compareTo(limit) > 0) {
                throw new TargetException("no JVM of the command listens on a port after " + limit.toSeconds()
                        + " s (expected: one; give it more time by --start-limit)" + CopyStart.last(this::output));
            }
            progress.live("production starts: " + elapsed.toSeconds() + " s");
        }
        return Optional.empty();
    }

    /** The first JVM of the command that listens; 0 if there is none yet. */
    private long listener() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(ProcessHandle::pid)
                .filter(pid -> TargetSurveyor.isJvm(Path.of("/proc"), pid)
                        && !ports(pid).isEmpty())
                .findFirst()
                .orElse(0L);
    }

    private static Set<InetSocketAddress> ports(long pid) {
        try {
            return ListeningSockets.of(pid);
        } catch (IOException ended) {
            return Set.of();
        }
    }

    /** The last lines that it printed. */
    List<String> output() {
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(Math.max(0, Files.size(log) - MOST_LOG));
            List<String> lines = new String(in.readNBytes(MOST_LOG), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
        } catch (IOException gone) {
            return List.of();
        }
    }

    /** Asks all of it to end, and waits for that; it is killed only if somebody is in a hurry. */
    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        boolean hasWaited = false;
        try {
            while (all.stream().anyMatch(ProcessHandle::isAlive)) {
                if (hurried.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    all.forEach(ProcessHandle::destroyForcibly);
                    process.waitFor();
                    return;
                }
                if (!hasWaited) {
                    progress.line("waiting until production has ended; Ctrl-C kills it");
                    hasWaited = true;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
