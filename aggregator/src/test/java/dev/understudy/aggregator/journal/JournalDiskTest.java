package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.Eventually;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.relay.TinyDisk;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JournalDiskTest {
    private static final int MIB = 1 << 20;
    private static final long MEMORY = 1_000_000;

    @TempDir
    private Path folder;

    private final DefaultEventExecutor caller = new DefaultEventExecutor();
    private final AtomicLong now = new AtomicLong(1_000_000);
    private @Nullable Journal<Text> open;

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
        caller.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void whatMemoryHasNoRoomFor_comesBackFromDiskInProductionsOrder() throws Exception {
        Journal<Text> journal = open(64L * MIB);
        for (int i = 0; i < 1_000; i++) {
            add(journal, "GET a", i);
            assertThat(journal.counts().bytes()).as("memory").isLessThanOrEqualTo(MEMORY);
            settle(journal);
        }
        Eventually.await(() -> journal.newest(1_000).size() == 1_000); // nothing is being written any more
        JournalCounts counts = journal.counts();
        assertThat(counts.unused()).isEqualTo(1_000);
        assertThat(counts.evicted()).isEmpty();
        assertThat(counts.disk().unused()).isGreaterThan(500);
        assertThat(counts.disk().bytes()).isGreaterThan(500 * 4_000);
        List<JournalItem> newest = journal.newest(1_000);
        assertThat(newest).extracting(JournalItem::id).doesNotHaveDuplicates().startsWith(1_000L);
        assertThat(newest.stream().filter(JournalItem::onDisk))
                .hasSize((int) counts.disk().unused());

        for (int i = 0; i < 1_000; i++) {
            assertThat(reply(take(journal, "GET a"))).isEqualTo(text(i));
        }

        Eventually.await(() -> journal.counts().disk().bytes() == 0);
        assertThat(journal.counts().unused()).isZero();
        assertThat(journal.counts().bytes()).isZero();
    }

    @Test
    void requestThatHasWaited_isGivenWhatIsOnDisk() throws Exception {
        Journal<Text> journal = filled(64L * MIB, 600);
        journal.close();
        Journal<Text> next = open(64L * MIB);

        Match<Text> match = take(next, "GET 7", 5_000);

        assertThat(reply(match)).isEqualTo(text(7));
    }

    @Test
    void journalOfAProcessThatIsGone_isReadAgainWithoutWhatWasTaken() throws Exception {
        Journal<Text> journal = filled(64L * MIB, 600);
        for (int i = 0; i < 50; i++) {
            take(journal, "GET " + i);
        }
        journal.close();
        now.addAndGet(Duration.ofMinutes(1).toNanos());

        Journal<Text> next = open(64L * MIB);
        Eventually.await(() -> !next.counts().disk().loading());

        assertThat(next.counts().disk().reloaded()).isEqualTo(550);
        assertThat(next.counts().exchanges()).isZero();
        for (int i = 0; i < 50; i++) {
            assertThat(take(next, "GET " + i)).isInstanceOf(Match.Miss.class);
        }
        for (int i = 50; i < 600; i++) {
            Match.Hit<Text> hit = (Match.Hit<Text>) take(next, "GET " + i);
            assertThat(hit.recorded().reply().text()).isEqualTo(text(i));
            assertThat(hit.recorded().id()).isNegative();
        }
        Eventually.await(() -> next.counts().disk().bytes() == 0);
    }

    @Test
    void reloadedExchanges_comeBeforeNewOnesAndInTheirOwnOrder() throws Exception {
        Journal<Text> journal = open(64L * MIB);
        for (int i = 0; i < 600; i++) {
            add(journal, "GET a", i);
            settle(journal);
        }
        journal.close();
        Journal<Text> next = open(64L * MIB);
        Eventually.await(() -> !next.counts().disk().loading());
        now.addAndGet(5_000_000_000L);
        add(next, "GET a", 600);

        for (int i = 0; i <= 600; i++) {
            assertThat(reply(take(next, "GET a"))).isEqualTo(text(i));
        }
    }

    @Test
    void whatIsTooOldByNow_isntReloaded() throws Exception {
        filled(64L * MIB, 600).close();
        aged = Duration.ofNanos(1);
        Journal<Text> next = open(64L * MIB);
        Eventually.await(() -> !next.counts().disk().loading());
        now.addAndGet(10_000_000_000L);
        next.expire();

        assertThat(next.counts().unused()).isZero();
        assertThat(next.counts().evicted()).containsEntry(Eviction.AGE, 600L);
        Eventually.await(() -> next.counts().disk().bytes() == 0);
    }

    @Test
    void damagedReply_isAMissThatSaysSo_andOthersAreRead() throws Exception {
        Journal<Text> journal = filled(64L * MIB, 600);
        Path segment = segments().get(0);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.seek(600);
            int octet = file.read();
            file.seek(600);
            file.write(octet ^ 1);
        }

        Match<Text> match = take(journal, "GET 0");

        assertThat(match)
                .isInstanceOfSatisfying(
                        Match.Miss.class, miss -> assertThat(miss.why()).contains("can't be read back from disk"));
        assertThat(journal.counts().evicted()).containsEntry(Eviction.DAMAGED, 1L);
        assertThat(reply(take(journal, "GET 1"))).isEqualTo(text(1));
    }

    @Test
    void fileThatIsCutOff_isReadAsFarAsItIsWhole() throws Exception {
        filled(64L * MIB, 600).close();
        Path segment = segments().get(0);
        long size = Files.size(segment);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.setLength(size - 10);
        }
        Journal<Text> next = open(64L * MIB);
        Eventually.await(() -> !next.counts().disk().loading());

        assertThat(next.counts().disk().reloaded()).isEqualTo(599);
        assertThat(next.counts().evicted()).containsEntry(Eviction.DAMAGED, 1L);
        assertThat(reply(take(next, "GET 100"))).isEqualTo(text(100));
    }

    @Test
    void journalOfAnotherUpstream_isNeverRead() throws Exception {
        filled(64L * MIB, 600).close();
        upstream = "test at another address";
        Journal<Text> next = open(64L * MIB);
        Eventually.await(() -> !next.counts().disk().loading());

        assertThat(next.counts().evicted()).containsEntry(Eviction.FOREIGN, 600L);
        assertThat(take(next, "GET 7")).isInstanceOf(Match.Miss.class);
        Eventually.await(() -> next.counts().disk().bytes() == 0);
    }

    @Test
    void diskBudget_isKeptAndTheOldestMakeRoom() throws Exception {
        Journal<Text> journal = open(16L * MIB);
        for (int i = 0; i < 5_000; i++) {
            add(journal, "GET " + i, i);
            if (i % 16 == 0) {
                settle(journal);
                assertThat(journal.counts().disk().bytes()).isLessThanOrEqualTo(16L * MIB);
            }
        }

        assertThat(journal.counts().evicted().get(Eviction.MEMORY))
                .as("what memory has to know")
                .isPositive();
        assertThat(reply(take(journal, "GET 4999"))).isEqualTo(text(4_999));
        assertThat(take(journal, "GET 1")).isInstanceOf(Match.Miss.class);
    }

    @Test
    void largeReplies_useUpTheDisk_andTheOldestMakeRoom() throws Exception {
        Journal<Text> journal = open(16L * MIB, 1_000_000, "x".repeat(50_000));
        for (int i = 0; i < 600; i++) {
            add(journal, "GET " + i, i);
            settle(journal);
            assertThat(journal.counts().disk().bytes()).isLessThanOrEqualTo(16L * MIB);
        }

        assertThat(journal.counts().evicted().get(Eviction.DISK)).isPositive();
        assertThat(journal.counts().disk().unused()).isGreaterThan(100);
        int kept = (int) journal.counts().unused();
        assertThat(reply(take(journal, "GET " + (600 - kept)))).startsWith(600 - kept + " ");
    }

    @Test
    void replyThatCouldntBeWritten_isKeptInMemory_andAgesThere() throws Exception {
        Journal<Text> journal = open(64L * MIB);
        CountDownLatch slow = new CountDownLatch(1);
        codec.unwritable = slow;
        int exchanges = 0;
        while (journal.counts().bytes() <= MEMORY * 3 / 4) {
            add(journal, "GET " + exchanges, exchanges);
            exchanges++;
        }
        journal.expire();
        slow.countDown();
        Eventually.await(() -> !journal.counts().disk().trouble().isEmpty());
        assertThat(reply(take(journal, "GET 1"))).isEqualTo(text(1));

        now.addAndGet(Duration.ofHours(2).toNanos());
        journal.expire();
        Eventually.await(() -> journal.counts().unused() == 0);
        assertThat(journal.counts().bytes()).isZero();
        assertThat(journal.counts().evicted()).containsEntry(Eviction.AGE, exchanges - 1L);
    }

    @Test
    void whatIsForgotten_isGoneFromDiskToo_andFromWhatTheProcessBeforeLeft() throws Exception {
        Journal<Text> journal = filled(64L * MIB, 600);
        assertThat(journal.forget(0)).as("all but what came just now").isEqualTo(599);
        Eventually.await(() -> journal.counts().disk().bytes() < 8_000);
        assertThat(take(journal, "GET 5")).isInstanceOf(Match.Miss.class);
        assertThat(reply(take(journal, "GET 599"))).isEqualTo(text(599));

        for (int i = 0; i < 600; i++) {
            add(journal, "SET " + i, i);
            settle(journal);
        }
        journal.close();
        Journal<Text> next = open(64L * MIB);
        now.addAndGet(1_000);
        next.forget(0);
        Eventually.await(() -> !next.counts().disk().loading());
        assertThat(next.counts().unused()).isZero();
        assertThat(next.counts().evicted().get(Eviction.FORGOTTEN)).isGreaterThan(500);
    }

    /** A real file system that is really full; needs the right to mount one, and is skipped without. */
    @Test
    @Tag("process")
    void fullDisk_endsSpillingWithAReason_andNeverRecording() throws Exception {
        try (TinyDisk tiny = TinyDisk.mount(folder.resolve("tiny"))) {
            directory = tiny.folder.resolve("journal");
            Journal<Text> journal = open(64L * MIB);
            for (int i = 0; i < 5_000; i++) {
                add(journal, "GET " + i, i);
                settle(journal);
            }

            JournalCounts counts = journal.counts();
            assertThat(counts.exchanges()).isEqualTo(5_000);
            assertThat(counts.bytes()).isLessThanOrEqualTo(MEMORY);
            assertThat(counts.evicted().get(Eviction.DISK_FAILED)).isPositive();
            assertThat(counts.disk().trouble()).contains("No space left");
            assertThat(reply(take(journal, "GET 4999"))).as("in memory").isEqualTo(text(4_999));
            assertThat(reply(take(journal, "GET 3"))).as("on disk").isEqualTo(text(3));
            journal.close();
            open = null;
        }
    }

    @Test
    void cancelledRequest_givesBackWhatIsReadForIt() throws Exception {
        Journal<Text> journal = filled(64L * MIB, 600);
        CompletableFuture<Match<Text>> never = new CompletableFuture<>();
        caller.submit(() ->
                        journal.take(form("GET 5"), 0, caller, never::complete).cancel())
                .get();
        Eventually.await(() -> journal.counts().unused() == 600);

        assertThat(never).isNotDone();
        assertThat(reply(take(journal, "GET 5"))).isEqualTo(text(5));
    }

    @Test
    void directory_isForItsOwnerOnlyAndForOneProcess() throws Exception {
        filled(64L * MIB, 600);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        assertThat(segments())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
        assertThatThrownBy(() -> disk(64L * MIB))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
    }

    private @Nullable Path directory;
    private String upstream = "test at its address";
    private final Text.Codec codec = new Text.Codec();
    private Duration aged = Duration.ofHours(1);
    private String filler = "x".repeat(3_990);

    private Path directory() {
        return directory == null ? folder.resolve("journal") : directory;
    }

    private JournalDisk<Text> disk(long capacity) throws IOException {
        return JournalDisk.open(
                directory(), upstream, capacity, codec, UnpooledByteBufAllocator.DEFAULT, now.get(), null);
    }

    private Journal<Text> open(long capacity) throws IOException {
        return open(capacity, MEMORY, filler);
    }

    private Journal<Text> open(long capacity, long memory, String with) throws IOException {
        filler = with;
        Journal<Text> journal = new Journal<>(
                new JournalBounds(memory, aged, false), now::get, new InboundExchanges(now::get), disk(capacity), null);
        open = journal;
        return journal;
    }

    /** One with so many exchanges, most of them on disk. */
    private Journal<Text> filled(long capacity, int exchanges) throws Exception {
        Journal<Text> journal = open(capacity);
        for (int i = 0; i < exchanges; i++) {
            add(journal, "GET " + i, i);
            settle(journal);
        }
        assertThat(journal.counts().disk().unused()).isGreaterThan(exchanges / 3);
        return journal;
    }

    private void add(Journal<Text> journal, String form, int number) {
        now.addAndGet(1_000);
        journal.add(form(form), 1, now.get() - 500, now.get(), new Text(text(number)));
    }

    private String text(int number) {
        return number + " " + filler;
    }

    /** Until the disk has what it was given. */
    private static void settle(Journal<?> journal) throws Exception {
        if (journal.counts().bytes() > MEMORY * 3 / 4) {
            Eventually.await(() -> journal.counts().bytes() <= MEMORY * 7 / 8
                    || !journal.counts().disk().trouble().isEmpty());
        }
    }

    private Match<Text> take(Journal<Text> journal, String form) throws Exception {
        return take(journal, form, 0);
    }

    private Match<Text> take(Journal<Text> journal, String form, long waitMillis) throws Exception {
        CompletableFuture<Match<Text>> match = new CompletableFuture<>();
        caller.execute(
                () -> journal.take(form(form), TimeUnit.MILLISECONDS.toNanos(waitMillis), caller, match::complete));
        return match.get(60, TimeUnit.SECONDS);
    }

    private static String reply(Match<Text> match) {
        assertThat(match).isInstanceOf(Match.Hit.class);
        return ((Match.Hit<Text>) match).recorded().reply().text();
    }

    private static Form form(String text) {
        return Form.of(text.substring(0, 3), text);
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.filter(file -> !file.endsWith("lock")).sorted().toList();
        }
    }
}
