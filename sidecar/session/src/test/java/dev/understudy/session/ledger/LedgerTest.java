package dev.understudy.session.ledger;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.ledger.SessionSummary.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a session has made, on disk. */
@Tag("process")
final class LedgerTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    @TempDir
    Path folder;

    private Path images;
    private Sessions sessions;

    @BeforeEach
    void make() throws IOException {
        images = Files.createDirectory(folder.resolve("images"));
        sessions = new Sessions(folder.resolve("sessions"), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void entry_isInTheFile_whenAddReturns() throws Exception {
        try (FileLedger ledger = sessions.create("--pid 7", images)) {
            LedgerEntry entry = ledger.add(Kind.NAMESPACE, "understudy-" + ledger.session());
            assertThat(text(ledger)).endsWith("\"words\":[\"understudy-" + ledger.session() + "\"]}\n");

            ledger.remove(entry);
            assertThat(text(ledger)).endsWith("{\"gone\":" + entry.id() + "}\n");
            assertThat(ledger.entries()).extracting(LedgerEntry::kind).containsExactly(Kind.DIRECTORY);
        }
    }

    @Test
    void files_areTheOwnersAlone() throws Exception {
        try (FileLedger ledger = sessions.create("", images)) {
            for (Path path : List.of(ledger.directory(), ledger.directory().getParent(), ledger.images())) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .isEqualTo("rwx------");
            }
        }
    }

    @Test
    void directory_dependsOnTheUser() {
        Path home = Path.of("/home/a");
        assertThat(Sessions.directory(true, Map.of(), home)).isEqualTo(Path.of("/run/understudy"));
        assertThat(Sessions.directory(false, Map.of("XDG_STATE_HOME", "/s"), home))
                .isEqualTo(Path.of("/s/understudy/sessions"));
        assertThat(Sessions.directory(false, Map.of("XDG_STATE_HOME", "relative"), home))
                .isEqualTo(Path.of("/home/a/.local/state/understudy/sessions"));
    }

    @Test
    void livingSession_isListed_andNotUndone_untilItIsKilled() throws Exception {
        try (SessionProgram session =
                SessionProgram.start(SessionProgram.class, folder + "/sessions", images.toString())) {
            String[] words = session.line().split(" ", -1);
            ProcessHandle child = ProcessHandle.of(Long.parseLong(words[1])).orElseThrow();
            assertThat(sessions.list()).singleElement().satisfies(summary -> {
                assertThat(summary.id()).isEqualTo(words[0]);
                assertThat(summary.target()).isEqualTo("test");
                assertThat(summary.state()).isEqualTo(State.RUNNING);
                assertThat(summary.left()).hasSize(2);
            });
            assertThatThrownBy(() -> sessions.undo(words[0]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("runs as process " + session.pid());
            assertThat(SessionProgram.isRunning(child.pid())).isTrue();

            session.kill();
            assertThat(sessions.list()).extracting(SessionSummary::state).containsExactly(State.ENDED);
            assertThat(SessionProgram.isRunning(child.pid())).isTrue();
            assertThat(sessions.undo(words[0]).left()).isEmpty();
            assertThat(SessionProgram.isRunning(child.pid())).isFalse();
            assertThat(sessions.list()).isEmpty();
            assertThat(images).isEmptyDirectory();
        }
    }

    @Test
    void ownSession_isRunning_untilItIsClosed() throws Exception {
        FileLedger ledger = sessions.create("", images);
        assertThat(sessions.list()).extracting(SessionSummary::state).containsExactly(State.RUNNING);
        assertThatThrownBy(() -> sessions.undo(ledger.session())).hasMessageContaining("stop it first");

        ledger.close();
        assertThat(sessions.list()).extracting(SessionSummary::state).containsExactly(State.ENDED);
        assertThat(sessions.undo(ledger.session()).left()).isEmpty();
    }

    @Test
    void finish_removesAll_theLastFirst() throws Exception {
        FileLedger ledger = sessions.create("", images);
        Path one = Files.createDirectory(ledger.images().resolve("one"));
        Path two = Files.createDirectory(one.resolve("two"));
        ledger.add(Kind.DIRECTORY, one.toString());
        ledger.add(Kind.DIRECTORY, two.toString());

        UndoResult result = ledger.finish();

        assertThat(result.removed())
                .containsExactly("DIRECTORY " + two, "DIRECTORY " + one, "DIRECTORY " + ledger.images());
        assertThat(ledger.directory()).doesNotExist();
    }

    @Test
    void lineCutShort_isLeftOut_andTheRestIsUndone() throws Exception {
        FileLedger ledger = sessions.create("", images);
        ledger.close();
        append(ledger, "{\"id\":2,\"kind\":\"PROC");

        assertThat(sessions.list()).singleElement().satisfies(summary -> {
            assertThat(summary.left()).hasSize(1);
            assertThat(summary.problem()).contains("1 lines");
        });
        assertThat(sessions.undo(ledger.session()).isComplete()).isTrue();
        assertThat(images).isEmptyDirectory();
    }

    @Test
    void unknownKind_isNamed_andLeft() throws Exception {
        FileLedger ledger = sessions.create("", images);
        ledger.close();
        append(ledger, "{\"id\":2,\"kind\":\"SATELLITE\",\"words\":[\"x\"]}\n");

        UndoResult result = sessions.undo(ledger.session());

        assertThat(result.left()).singleElement().satisfies(left -> {
            assertThat(left.what()).contains("SATELLITE");
            assertThat(left.byHand()).contains("rm -r " + ledger.directory());
        });
        assertThat(images).isEmptyDirectory();
        assertThat(sessions.list()).hasSize(1);
    }

    @Test
    void damagedFile_neverFails() throws Exception {
        FileLedger ledger = sessions.create("target", images);
        ledger.add(Kind.RULE, "1", "iptables", "-A", "OUTPUT");
        ledger.close();
        byte[] whole = Files.readAllBytes(ledger.directory().resolve(FileLedger.FILE));
        Path file = folder.resolve("damaged");
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.clone();
            for (int n = random.nextInt(12); n >= 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, bytes);
            assertThat(LedgerFile.read(file).entries()).as("seed %d", seed).hasSizeLessThan(3);
        }
    }

    @Test
    void largeFile_isRefused() throws Exception {
        FileLedger ledger = sessions.create("", images);
        ledger.close();
        try (var file = new java.io.RandomAccessFile(
                ledger.directory().resolve(FileLedger.FILE).toFile(), "rw")) {
            file.setLength(1L << 40);
        }

        assertThatThrownBy(() -> sessions.undo(ledger.session())).hasMessageContaining("more than");
        assertThat(sessions.list())
                .singleElement()
                .satisfies(summary -> assertThat(summary.problem()).contains("more than"));
    }

    @Test
    void longSession_keepsASmallFile() throws Exception {
        FileLedger ledger = sessions.create("", images);
        LedgerEntry kept = ledger.add(Kind.NAMESPACE, "understudy-" + ledger.session() + "-kept");
        String word = "x".repeat(4_000);
        for (int n = 0; n < 600; n++) {
            ledger.remove(ledger.add(Kind.NAMESPACE, word));
        }

        Path file = ledger.directory().resolve(FileLedger.FILE);
        assertThat(Files.size(file)).isLessThan(2 << 20);
        assertThat(LedgerFile.read(file).entries()).hasSize(2).contains(kept);
        assertThat(ledger.finish().left()).isEmpty();
    }

    @Test
    void process_isLeftAlone_ifItBeganAtAnotherTime() throws Exception {
        Process other = new ProcessBuilder("sleep", "1000").start();
        try {
            FileLedger ledger = sessions.create("", images);
            ledger.add(Kind.PROCESS, "" + other.pid(), "" + (ProcessStart.ticks(other.pid()) - 1), "sleep");
            assertThat(ledger.finish().left()).isEmpty();
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void process_endsWithItsChildren_thoughItIgnoresTheSignal() throws Exception {
        FileLedger ledger = sessions.create("", images);
        Process stubborn = LedgerProcess.start(
                        new ProcessBuilder("sh", "-c", "trap '' TERM; echo on; sleep 1000; :"), ledger, "sh")
                .process();
        assertThat(stubborn.inputReader().readLine()).isEqualTo("on");
        ProcessHandle child = childOf(stubborn);

        assertThat(ledger.finish().left()).isEmpty();
        assertThat(SessionProgram.isRunning(stubborn.pid())).isFalse();
        assertThat(SessionProgram.isRunning(child.pid())).isFalse();
    }

    private static ProcessHandle childOf(Process parent) throws InterruptedException {
        while (parent.children().findAny().isEmpty()) {
            Thread.sleep(5);
        }
        return parent.children().findAny().orElseThrow();
    }

    @Test
    void directoryElsewhere_isLeft_andTheRestIsRemoved() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("file"), "x");
        FileLedger ledger = sessions.create("", images);
        Path first = Files.createDirectory(ledger.images().resolve("first"));
        ledger.add(Kind.DIRECTORY, first.toString());
        ledger.add(Kind.DIRECTORY, elsewhere.toString());
        ledger.add(Kind.DIRECTORY, ledger.images() + "/../../elsewhere");
        ledger.add(Kind.DIRECTORY, "/");

        UndoResult result = ledger.finish();

        assertThat(result.left())
                .hasSize(3)
                .allSatisfy(left -> assertThat(left.reason()).contains("isn't below"));
        assertThat(elsewhere.resolve("file")).exists();
        assertThat(first).doesNotExist();
        assertThat(sessions.list())
                .singleElement()
                .satisfies(summary -> assertThat(summary.left()).hasSize(3));
    }

    @Test
    void damagedPlaceOfImages_letsNothingBeDeleted() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        FileLedger ledger = sessions.create("", images);
        ledger.add(Kind.DIRECTORY, elsewhere.toString());
        ledger.close();
        Path file = ledger.directory().resolve(FileLedger.FILE);
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("\"images\":\"" + ledger.images() + "\"", "\"images\":\"" + folder + "\""));

        assertThat(sessions.undo(ledger.session()).left()).hasSize(2);
        assertThat(elsewhere).exists();
    }

    @Test
    void symbolicLink_isDeleted_notFollowed() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path file = Files.writeString(elsewhere.resolve("file"), "x");
        FileLedger ledger = sessions.create("", images);
        Files.createSymbolicLink(ledger.images().resolve("link"), elsewhere);
        Files.createSymbolicLink(ledger.images().resolve("link2"), file);
        ledger.add(Kind.DIRECTORY, ledger.images().resolve("link") + "/file");

        UndoResult result = ledger.finish();

        assertThat(file).exists();
        assertThat(result.left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("symbolic link"));
        assertThat(images).isEmptyDirectory();
    }

    @Test
    void undoAgain_isDoneAgain() throws Exception {
        FileLedger ledger = sessions.create("", images);
        LedgerEntry entry =
                ledger.add(Kind.DIRECTORY, ledger.images().resolve("one").toString());
        assertThat(ledger.undo(entry)).isTrue();
        assertThat(ledger.undo(entry)).isTrue();
        assertThat(ledger.finish().left()).isEmpty();
    }

    @Test
    void thingsOfOthers_areRefused() throws Exception {
        FileLedger ledger = sessions.create("", images);
        ledger.add(Kind.NAMESPACE, "production");
        ledger.add(Kind.LINK, "1", "eth0");
        ledger.add(Kind.RULE, "1", "iptables", "-A", "INPUT", "-j", "ACCEPT");
        ledger.add(Kind.RULE, "1", "rm", "-A", "--comment", "understudy:" + ledger.session());
        ledger.add(Kind.CONTAINER, "sh", "-c");
        ledger.add(Kind.PROCESS, "1", "1", "init");
        ledger.add(Kind.PROCESS, "one");

        ledger.add(Kind.DIRECTORY, "/");

        assertThat(ledger.finish().left())
                .hasSize(8)
                .allSatisfy(left -> assertThat(left.byHand())
                        .isEqualTo("leave it; when all else is gone: rm -r '" + ledger.directory() + "'"));
    }

    private static String text(FileLedger ledger) throws IOException {
        return Files.readString(ledger.directory().resolve(FileLedger.FILE));
    }

    private static void append(FileLedger ledger, String text) throws IOException {
        Files.write(
                ledger.directory().resolve(FileLedger.FILE),
                text.getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.APPEND);
    }
}
