package dev.understudy.session.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.ledger.SessionSummary.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The sessions of this machine, each with a directory of its own. For any thread. */
public final class Sessions {
    /** The file of a session's directory that says how its rules fare, if it has any. */
    public static final String RULES = "rules.json";

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Of directories that are looked at. */
    private static final int MOST = 1_000;

    /** After which a session without a name is known to be dead. */
    private static final Duration UNFINISHED = Duration.ofMinutes(1);

    private static final long MOST_RULES = 1 << 20;

    private final Path root;
    private final Clock clock;

    /** Sessions below a directory, which is made when it is needed. */
    public Sessions(Path root, Clock clock) {
        this.root = root.toAbsolutePath().normalize();
        this.clock = clock;
    }

    /** Where a user's sessions are: {@code /run/understudy} for root, below {@code $XDG_STATE_HOME} for others. */
    public static Path directory(boolean isRoot, Map<String, String> environment, Path home) {
        if (isRoot) {
            return Path.of("/run/understudy");
        }
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = state.startsWith("/") ? Path.of(state) : home.resolve(".local/state");
        return base.resolve("understudy/sessions");
    }

    /** The sessions of this user. */
    public static Sessions ofThisUser(Clock clock) {
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        return new Sessions(directory(isRoot, System.getenv(), Path.of(System.getProperty("user.home"))), clock);
    }

    /**
     * The process of a session that runs; empty if there is no such session, or it has ended.
     *
     * @throws IOException if its ledger can't be read
     */
    public Optional<ProcessHandle> process(String id) throws IOException {
        Path directory = root.resolve(id);
        if (!FileLedger.ID.matcher(id).matches() || !isSession(directory)) {
            return Optional.empty();
        }
        LedgerFile ledger = LedgerFile.read(directory.resolve(FileLedger.FILE));
        return isRunning(directory, ledger)
                ? ledger.header().flatMap(header -> ProcessHandle.of(header.pid()))
                : Optional.empty();
    }

    /** How a session's rules fare, as its watch wrote it last; empty if it has none. */
    public Optional<JsonNode> rules(String id) {
        Path file = root.resolve(id).resolve(RULES);
        try {
            return FileLedger.ID.matcher(id).matches() && Files.isRegularFile(file) && Files.size(file) <= MOST_RULES
                    ? Optional.of(ForeignJson.mapper().readTree(Files.readAllBytes(file)))
                    : Optional.empty();
        } catch (IOException halfWritten) {
            return Optional.empty();
        }
    }

    /** Begins a session of this process that makes no copy. */
    public FileLedger create(String target, Path images) throws IOException {
        return create(target, "", images);
    }

    /**
     * Begins a session of this process.
     *
     * @param target what is debugged, as it was named
     * @param copy what its copy begins with, in a word
     * @param images an existing directory, in which the session gets a directory of its own for images
     * @throws IOException if the files can't be made; then nothing is left of them
     */
    public FileLedger create(String target, String copy, Path images) throws IOException {
        Files.createDirectories(root, PRIVATE);
        sweep();
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        String id = HexFormat.of().formatHex(random);
        long pid = ProcessHandle.current().pid();
        Path own = images.toRealPath().resolve("understudy-" + id);
        Path unfinished = Files.createDirectory(root.resolve("." + id), PRIVATE);
        FileLedger ledger = FileLedger.create(
                new SessionHeader(id, target, copy, clock.instant(), pid, ProcessStart.ticks(pid), own),
                unfinished,
                root.resolve(id));
        try {
            ledger.add(Kind.DIRECTORY, own.toString());
            Files.createDirectory(own, PRIVATE);
        } catch (IOException | UncheckedIOException failed) {
            ledger.close();
            throw failed;
        }
        return ledger;
    }

    /** Deletes what a process left that died before its session had a name; others have made nothing yet. */
    private void sweep() throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(root, ".*")) {
            for (Path directory : directories) {
                Instant made = Files.getLastModifiedTime(directory).toInstant();
                if (FileLedger.ID
                                .matcher(directory.getFileName().toString().substring(1))
                                .matches()
                        && made.isBefore(clock.instant().minus(UNFINISHED))) {
                    new DirectoryRemoval(List.of()).delete(directory);
                }
            }
        } catch (RemovalException left) {
            // it is tried again by the next session
        }
    }

    /**
     * All sessions that run, or have left something behind.
     *
     * @throws IOException if their directory can't be read
     */
    public List<SessionSummary> list() throws IOException {
        List<SessionSummary> summaries = new ArrayList<>();
        if (Files.isDirectory(root)) {
            try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
                for (Path directory : directories) {
                    if (summaries.size() < MOST && isSession(directory)) {
                        summaries.add(summary(directory));
                    }
                }
            }
        }
        summaries.sort((one, other) -> one.id().compareTo(other.id()));
        return List.copyOf(summaries);
    }

    /**
     * Removes all that an ended session has left behind, the last thing first. What can't be removed stays in its
     * ledger, and the rest is removed all the same.
     *
     * @throws IOException if there is no such session, it still runs, or its ledger can't be read
     */
    public UndoResult undo(String id) throws IOException, InterruptedException {
        Path directory = root.resolve(id);
        if (!FileLedger.ID.matcher(id).matches() || !isSession(directory)) {
            throw new IOException(id + ": no such session in " + root);
        }
        LedgerFile before = LedgerFile.read(directory.resolve(FileLedger.FILE));
        if (isOwn(before)) {
            throw new IOException(id + ": the session runs in this process: stop it first");
        }
        try (FileChannel lock = openLock(directory)) {
            if (lock.tryLock() == null) {
                throw new IOException(id + ": the session runs"
                        + before.header()
                                .map(header -> " as process " + header.pid())
                                .orElse("") + ": stop it first");
            }
            return undo(id, directory);
        }
    }

    private static UndoResult undo(String id, Path directory) throws IOException, InterruptedException {
        Path file = directory.resolve(FileLedger.FILE);
        LedgerFile ledger = LedgerFile.read(file);
        SessionHeader header = ledger.header()
                .orElseGet(() -> new SessionHeader(id, "", "", Instant.EPOCH, 0, 0, directory.resolve("images")));
        if (!header.session().equals(id)) {
            throw new IOException(file + ": the ledger of session " + header.session() + " (expected: " + id + ")");
        }
        Removals removals = new Removals(header, directory);
        UndoResult result;
        try (FileChannel log = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            // the last line may have been cut short
            FileLedger.append(log, "\n");
            result = removals.removeAll(ledger.entries(), entry -> {
                try {
                    FileLedger.append(log, LedgerFile.goneLine(entry.id()));
                } catch (IOException unwritable) {
                    throw new UncheckedIOException(file + ": can't be written", unwritable);
                }
            });
        }
        List<UndoResult.Remainder> left = new ArrayList<>(result.left());
        for (String line : ledger.unknown()) {
            left.add(new UndoResult.Remainder(
                    line,
                    "made by another version",
                    "remove it with that version, or by hand, and then: rm -r " + directory));
        }
        UndoResult all = new UndoResult(result.removed(), left);
        return all.isComplete() ? removals.removeDirectory(all) : all;
    }

    private static SessionSummary summary(Path directory) {
        String id = directory.getFileName().toString();
        try {
            LedgerFile ledger = LedgerFile.read(directory.resolve(FileLedger.FILE));
            return new SessionSummary(
                    id,
                    ledger.header().map(SessionHeader::target).orElse(""),
                    ledger.header().map(SessionHeader::copy).orElse(""),
                    ledger.header().map(SessionHeader::since),
                    isRunning(directory, ledger) ? State.RUNNING : State.ENDED,
                    Stream.concat(ledger.entries().stream().map(LedgerEntry::text), ledger.unknown().stream())
                            .toList(),
                    ledger.damaged() == 0 ? "" : ledger.damaged() + " lines of its ledger can't be read");
        } catch (IOException unreadable) {
            return new SessionSummary(id, "", "", Optional.empty(), State.ENDED, List.of(), String.valueOf(unreadable));
        }
    }

    private static boolean isRunning(Path directory, LedgerFile ledger) throws IOException {
        if (isOwn(ledger)) {
            return true;
        }
        try (FileChannel lock = openLock(directory)) {
            return lock.tryLock() == null;
        }
    }

    /** A lock of this process's own is never opened again: closing that file would give it up, fcntl_locking(2). */
    private static boolean isOwn(LedgerFile ledger) throws IOException {
        long pid = ProcessHandle.current().pid();
        SessionHeader header = ledger.header().orElse(null);
        return header != null
                && !ledger.isClosed()
                && header.pid() == pid
                && header.startTicks() == ProcessStart.ticks(pid);
    }

    private static FileChannel openLock(Path directory) throws IOException {
        return FileChannel.open(
                directory.resolve(FileLedger.LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static boolean isSession(Path directory) {
        return FileLedger.ID.matcher(directory.getFileName().toString()).matches()
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }
}
