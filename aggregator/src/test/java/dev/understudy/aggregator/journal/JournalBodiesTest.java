package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.Eventually;
import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What a journal does with replies that have most of their bytes in files of their own. */
class JournalBodiesTest {
    private static final int MIB = 1 << 20;
    private static final long ROOM = 16L * MIB;
    private static final long MEMORY = 100_000;

    private record Head(LargeBody large) implements RecordedReply {
        @Override
        public long bytes() {
            return 100;
        }

        @Override
        public long answer() {
            return large.sum();
        }
    }

    @TempDir
    private Path folder;

    private final DefaultEventExecutor caller = new DefaultEventExecutor();
    private final AtomicLong now = new AtomicLong(1_000_000);
    private final MemoryBudget waiting = new MemoryBudget(ROOM, null);
    private LargeBodies bodies;
    private Journal<Head> journal;

    @BeforeEach
    void open() throws IOException {
        bodies = LargeBodies.open(folder, UnpooledByteBufAllocator.DEFAULT, ROOM, MIB, waiting);
        journal = new Journal<>(
                new JournalBounds(MEMORY, Duration.ofMinutes(1), false),
                now::get,
                new InboundExchanges(now::get),
                null,
                bodies);
    }

    @AfterEach
    void close() {
        journal.close();
        caller.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void reply_thatIsTooOld_leavesTheDisk() throws Exception {
        add("GET a", 3 * MIB);
        now.addAndGet(Duration.ofSeconds(59).toNanos());
        add("GET b", MIB);
        journal.expire();
        assertThat(journal.counts().large().unused()).isEqualTo(2);
        now.addAndGet(Duration.ofSeconds(2).toNanos());
        journal.expire();
        assertThat(journal.counts().evicted()).containsOnly(Map.entry(Eviction.AGE, 1L));
        assertThat(journal.counts().large().unused()).isEqualTo(1);
        discard(take("GET b"));
        Eventually.await(() -> bodies.used() == 0);
    }

    @Test
    void oldest_makesRoomOnDisk_forWhatIsRecorded() throws Exception {
        for (int i = 0; i < 20; i++) {
            add("GET " + i, 2 * MIB);
            assertThat(bodies.used()).isLessThanOrEqualTo(ROOM);
            Eventually.await(() -> bodies.waiting() == 0 && bodies.used() <= 13L * MIB);
        }
        JournalCounts counts = journal.counts();
        assertThat(counts.evicted()).containsOnlyKeys(Eviction.DISK);
        assertThat(counts.unused()).isBetween(4L, 6L).isEqualTo(counts.large().unused());
        assertThat(take("GET " + (19 - counts.unused()))).isInstanceOf(Match.Miss.class);
        for (long i = 20 - counts.unused(); i < 20; i++) {
            discard(take("GET " + i));
        }
        Eventually.await(() -> bodies.used() == 0);
    }

    @Test
    void oldestInMemory_takesItsBodyAlong() throws Exception {
        add("GET large", MIB);
        for (int i = 0; i < 1_000; i++) {
            add("GET " + i, 1);
        }
        assertThat(journal.counts().evicted()).containsOnlyKeys(Eviction.MEMORY);
        assertThat(take("GET large")).isInstanceOf(Match.Miss.class);
        Eventually.await(() -> bodies.used() < MIB);
    }

    @Test
    void reply_isGivenOnceAllOfItIsWritten() throws Exception {
        CountDownLatch slow = busy();
        add("GET a", MIB);
        CompletableFuture<Match<Head>> match = begin("GET a");
        caller.submit(() -> {}).get();
        assertThat(match).isNotDone();
        slow.countDown();
        discard(match.get(60, TimeUnit.SECONDS));
    }

    @Test
    void reply_whoseBodyCouldntBeWritten_isAMissThatSaysSo() throws Exception {
        BodyWriter writer = bodies.begin();
        assertThat(waiting.tryReserve(ROOM)).isTrue();
        writer.add(new byte[MIB]);
        waiting.release(ROOM);
        journal.add(form("GET a"), 1, now.get(), now.get(), new Head(writer.finish()));

        assertThat(take("GET a"))
                .isInstanceOfSatisfying(
                        Match.Miss.class, miss -> assertThat(miss.why()).contains("can't be read back from disk"));
        assertThat(journal.counts().evicted()).containsEntry(Eviction.DISK_FAILED, 1L);
        Eventually.await(() -> bodies.used() == 0);
    }

    @Test
    void cancelledRequest_givesBackTheReplyThatIsStillBeingWritten() throws Exception {
        CountDownLatch slow = busy();
        add("GET a", MIB);
        CompletableFuture<Match<Head>> never = new CompletableFuture<>();
        caller.submit(() ->
                        journal.take(form("GET a"), 0, caller, never::complete).cancel())
                .get();
        assertThat(journal.counts().unused()).isZero();
        slow.countDown();
        Eventually.await(() -> journal.counts().unused() == 1);
        assertThat(never).isNotDone();
        discard(take("GET a"));
        Eventually.await(() -> bodies.used() == 0);
    }

    private void add(String form, int bytes) {
        BodyWriter writer = bodies.begin();
        writer.add(new byte[bytes]);
        assertThat(writer.loss()).isNull();
        now.addAndGet(1_000);
        journal.add(form(form), 1, now.get() - 500, now.get(), new Head(writer.finish()));
    }

    private Match<Head> take(String form) throws Exception {
        return begin(form).get(60, TimeUnit.SECONDS);
    }

    private CompletableFuture<Match<Head>> begin(String form) {
        CompletableFuture<Match<Head>> match = new CompletableFuture<>();
        caller.execute(() -> journal.take(form(form), 0, caller, match::complete));
        return match;
    }

    private static void discard(Match<Head> match) {
        assertThat(match).isInstanceOf(Match.Hit.class);
        ((Match.Hit<Head>) match).recorded().reply().large().discard();
    }

    /** Keeps the files' thread from all else until it is let go. */
    private CountDownLatch busy() throws Exception {
        BodyWriter writer = bodies.begin();
        writer.add(new byte[1_000]);
        LargeBody body = writer.finish();
        CompletableFuture<Boolean> whole = new CompletableFuture<>();
        body.whenSettled(whole::complete);
        assertThat(whole.get(60, TimeUnit.SECONDS)).isTrue();
        CountDownLatch slow = new CountDownLatch(1);
        body.read().next(Runnable::run, piece -> {
            Objects.requireNonNull(piece).release();
            try {
                slow.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            body.discard();
        });
        return slow;
    }

    private static Form form(String text) {
        return Form.of(text.substring(0, 3), text);
    }
}
