package dev.understudy.session.program;

import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program that runs beside production for as long as the session does; what it prints goes to a file. */
public final class SupportProgram implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    /** How long it may take to end by itself, before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(15);
    /** Of a log, when it is looked at. */
    private static final int MOST_LOG = 1 << 20;

    private static final int TAIL = 10;

    /** Of a log, before it begins anew; what was in it is kept in one older file. */
    private static final long LARGEST_LOG = 8 << 20;

    private final String name;
    private final Process process;
    private final Path log;
    private final Ledger ledger;
    private final LedgerEntry entry;

    private SupportProgram(String name, Process process, Path log, Ledger ledger, LedgerEntry entry) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.ledger = ledger;
        this.entry = entry;
    }

    /**
     * Starts a program.
     *
     * @param environment what it gets instead of this process's own settings
     * @param directory where it runs, and where the file is that gets what it prints, named for it
     * @throws ProgramFailure if it can't be started
     */
    static SupportProgram start(
            String name, List<String> command, Map<String, String> environment, Path directory, Ledger ledger)
            throws ProgramFailure {
        Path log = directory.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                // appended to, so that it can be cut while it is written
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("UNDERSTUDY_"));
        builder.environment().putAll(environment);
        try {
            LedgerProcess process = LedgerProcess.start(builder, ledger, name);
            return new SupportProgram(name, process.process(), log, ledger, process.entry());
        } catch (IOException notStarted) {
            throw new ProgramFailure(name + " didn't start: " + notStarted.getMessage(), notStarted);
        }
    }

    /**
     * Waits for a line that begins with the given words, and returns what follows them.
     *
     * @throws ProgramFailure if the program ends before, or takes longer
     */
    String awaitLine(String words, Duration limit) throws ProgramFailure, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            Optional<String> line =
                    lines().stream().filter(text -> text.startsWith(words)).findFirst();
            if (line.isPresent()) {
                return line.get().substring(words.length());
            }
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new ProgramFailure(name + " ended with exit code " + process.exitValue() + tail());
            }
            if (System.nanoTime() > deadline) {
                throw new ProgramFailure(name + " isn't ready after " + limit.toSeconds() + " s" + tail());
            }
        }
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it is called. */
    String name() {
        return name;
    }

    /** Whether a signal or a debugger has stopped it: proc_pid_stat(5), field 3. */
    boolean isStopped() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"), StandardCharsets.ISO_8859_1);
            int name = stat.lastIndexOf(')');
            return stat.length() > name + 2 && "Tt".indexOf(stat.charAt(name + 2)) >= 0;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Begins its log anew if that has become too large; the part before is in a file beside it. */
    void boundLog() {
        try {
            if (Files.size(log) > LARGEST_LOG) {
                Path older = log.resolveSibling(log.getFileName() + ".1");
                try (FileChannel from = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
                        FileChannel to = FileChannel.open(
                                older,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.TRUNCATE_EXISTING)) {
                    from.transferTo(0, LARGEST_LOG, to);
                    from.truncate(0);
                }
            }
        } catch (IOException full) {
            // it is tried again
        }
    }

    /** Ends it at once, and cuts the connections through it. */
    void kill() {
        process.destroyForcibly();
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** The last lines of its log, for a message. */
    private String tail() {
        List<String> lines = lines();
        return "; the last lines of " + log + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }

    private List<String> lines() {
        try (var in = Files.newInputStream(log)) {
            return new String(in.readNBytes(MOST_LOG), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    /** Asks it to end once production's connections through it have ended. */
    public void release() {
        process.destroy();
    }

    /** Ends it at once. */
    @Override
    public void close() {
        // the second request ends the wait for connections
        process.destroy();
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        ledger.remove(entry);
    }
}
