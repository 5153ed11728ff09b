package dev.understudy.aggregator.body;

import dev.understudy.aggregator.Eventually;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.Spill;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.aggregator.body.Bodies.MIB;
import static dev.understudy.aggregator.body.Bodies.bytes;
import static dev.understudy.aggregator.body.Bodies.whole;
import static dev.understudy.aggregator.body.Bodies.written;
import static org.assertj.core.api.Assertions.assertThat;

/** What a process finds of the large bodies of the one before, however that ended. */
class EarlierBodiesTest {
    @TempDir
    private Path folder;

    private final List<LargeBodies> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(LargeBodies::close);
    }

    @Test
    void body_isFoundByItsId_whetherItIsClaimedBeforeTheFilesAreReadOrAfter() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody one = settled(first, 1);
        LargeBody two = settled(first, 2);
        first.close();
        CountDownLatch known = new CountDownLatch(1);
        LargeBodies next = keepUnread(known);
        LargeBody early = claim(next, one);
        known.countDown();
        assertThat(Bodies.read(early)).isEqualTo(bytes(MIB, 1));
        LargeBody late = claim(next, two);
        assertThat(Bodies.read(late)).isEqualTo(bytes(MIB, 2));
        next.allKnown();
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodiesThatNobodyClaims_areDeleted_onceAllAreKnown_andOthersStay() throws Exception {
        LargeBodies first = keep(folder);
        settled(first, 1);
        LargeBody wanted = settled(first, 2);
        settled(first, 3);
        long all = first.used();
        first.close();
        LargeBodies next = keep(folder);
        LargeBody claimed = claim(next, wanted);
        assertThat(whole(claimed)).isTrue();
        assertThat(next.used()).as("before all are known").isEqualTo(all);
        next.allKnown();
        LargeBody fresh = settled(next, 4);
        assertThat(Bodies.read(claimed)).isEqualTo(bytes(MIB, 2));
        assertThat(Bodies.read(fresh)).isEqualTo(bytes(MIB, 4));
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodiesThatNobodyClaims_areDeleted_whenAllAreKnownBeforeTheFilesAreRead() throws Exception {
        LargeBodies first = keep(folder);
        settled(first, 1);
        LargeBody wanted = settled(first, 2);
        first.close();
        CountDownLatch known = new CountDownLatch(1);
        LargeBodies next = keepUnread(known);
        LargeBody claimed = claim(next, wanted);
        next.allKnown();
        known.countDown();
        assertThat(Bodies.read(claimed)).isEqualTo(bytes(MIB, 2));
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodiesThatAreClaimed_stay_ifAllAreKnownWhileTheyAreFound() throws Exception {
        LargeBodies first = keep(folder);
        List<LargeBody> wanted = List.of(settled(first, 1), settled(first, 2));
        first.close();
        CountDownLatch known = new CountDownLatch(1);
        LargeBodies next = keepUnread(known);
        List<LargeBody> claimed = new ArrayList<>();
        for (LargeBody body : wanted) {
            LargeBody one = claim(next, body);
            one.whenSettled(there -> next.allKnown());
            claimed.add(one);
        }
        known.countDown();
        assertThat(Bodies.read(claimed.get(0))).isEqualTo(bytes(MIB, 1));
        assertThat(Bodies.read(claimed.get(1))).isEqualTo(bytes(MIB, 2));
    }

    @Test
    void halfWrittenBody_ofAProcessThatWasKilled_isGone_andWholeOnesAreNot() throws Exception {
        LargeBodies killed = keep(folder);
        LargeBody whole = settled(killed, 1);
        BodyWriter half = killed.begin();
        half.add(bytes(MIB, 2));
        Eventually.await(() -> killed.waiting() == 0);
        Path left = asLeftBy(killed);
        long id = half.finish().id();
        LargeBodies next = keep(left);
        LargeBody claimed = next.earlier(id, MIB, 0);
        assertThat(whole(claimed)).isFalse();
        LargeBody other = claim(next, whole);
        assertThat(Bodies.read(other)).isEqualTo(bytes(MIB, 1));
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodyWhoseLastPieceIsCutOff_isGone() throws Exception {
        LargeBodies killed = keep(folder);
        LargeBody first = settled(killed, 1);
        LargeBody second = settled(killed, 2);
        Path left = asLeftBy(killed);
        Path segment = Bodies.segments(left).get(0);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.setLength(Files.size(segment) - 1);
        }
        LargeBodies next = keep(left);
        assertThat(whole(claim(next, second))).isFalse();
        assertThat(Bodies.read(claim(next, first))).isEqualTo(bytes(MIB, 1));
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void damagedPiece_losesItsOwnBodyAlone() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody damaged = settled(first, 1);
        LargeBody other = settled(first, 2);
        first.close();
        Bodies.flipBit(Bodies.segments(folder).get(0), LargeBodies.PIECE + 1000);
        LargeBodies next = keep(folder);
        assertThat(whole(claim(next, damaged))).isFalse();
        assertThat(Bodies.read(claim(next, other))).isEqualTo(bytes(MIB, 2));
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodyOfAnotherLength_isNoneOfWhatWasFound() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody body = settled(first, 1);
        first.close();
        LargeBodies next = keep(folder);
        assertThat(whole(next.earlier(body.id(), MIB + 1, body.sum()))).isFalse();
        assertThat(whole(next.earlier(body.id() + 1000, MIB, body.sum()))).isFalse();
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void bodyWithAGap_isNotWhole_evenIfItsBytesWereAsMany() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody damaged = settled(first, 1);
        first.close();
        Bodies.flipBit(Bodies.segments(folder).get(0), LargeBodies.PIECE + 1000);
        LargeBodies next = keep(folder);
        int piece = LargeBodies.PIECE - BlockWriter.HEADER - BlockWriter.RECORD;
        assertThat(whole(next.earlier(damaged.id(), MIB - piece, damaged.sum())))
                .isFalse();
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void claimedBody_thatIsDiscardedBeforeItIsFound_leavesItsRoom() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody body = settled(first, 1);
        first.close();
        CountDownLatch known = new CountDownLatch(1);
        LargeBodies next = keepUnread(known);
        LargeBody claimed = claim(next, body);
        claimed.discard();
        known.countDown();
        assertThat(whole(claimed)).isFalse();
        Eventually.await(() -> next.used() == 0);
    }

    @Test
    void earlierBodies_countAmongWhatCrowds() throws Exception {
        LargeBodies first = keep(folder);
        LargeBody one = settled(first, 1);
        LargeBody two = settled(first, 2);
        first.close();
        LargeBodies next = LargeBodies.keep(
                folder, UnpooledByteBufAllocator.DEFAULT, 5L * MIB / 2, MIB, new MemoryBudget(MIB, null));
        open.add(next);
        LargeBody claimed = claim(next, one);
        LargeBody other = claim(next, two);
        assertThat(whole(claimed) && whole(other)).isTrue();
        assertThat(next.crowded()).isTrue();
        claimed.discard();
        assertThat(next.crowded()).isFalse();
        assertThat(Bodies.read(other)).isEqualTo(bytes(MIB, 2));
    }

    @Test
    void bodiesThatArentKept_areNotThereForTheNext() throws Exception {
        LargeBodies first = LargeBodies.open(
                folder, UnpooledByteBufAllocator.DEFAULT, 64L * MIB, MIB, new MemoryBudget(64L * MIB, null));
        LargeBody body = settled(first, 1);
        first.close();
        LargeBodies next = LargeBodies.open(
                folder, UnpooledByteBufAllocator.DEFAULT, 64L * MIB, MIB, new MemoryBudget(64L * MIB, null));
        open.add(next);
        assertThat(whole(claim(next, body))).isFalse();
        assertThat(next.used()).isZero();
    }

    /** Its files aren't read before something is known. */
    private LargeBodies keepUnread(CountDownLatch known) throws IOException {
        Spill spill = Spill.keep(folder, "a test", UnpooledByteBufAllocator.DEFAULT, 64L * MIB);
        spill.write(
                1,
                () -> {
                    try {
                        known.await();
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IllegalStateException("nothing to write");
                },
                Runnable::run,
                place -> {});
        LargeBodies store = new LargeBodies(spill, true, MIB, new MemoryBudget(64L * MIB, null));
        open.add(store);
        return store;
    }

    private LargeBodies keep(Path directory) throws IOException {
        LargeBodies store = LargeBodies.keep(
                directory, UnpooledByteBufAllocator.DEFAULT, 64L * MIB, MIB, new MemoryBudget(64L * MIB, null));
        open.add(store);
        return store;
    }

    private static LargeBody settled(LargeBodies store, long seed) throws Exception {
        LargeBody body = written(store, bytes(MIB, seed));
        assertThat(whole(body)).isTrue();
        return body;
    }

    private static LargeBody claim(LargeBodies store, LargeBody body) {
        return store.earlier(body.id(), body.length(), body.sum());
    }

    /** The files as they are while it still writes: a process that is killed closes nothing. */
    private Path asLeftBy(LargeBodies store) throws Exception {
        CompletableFuture<Boolean> all = new CompletableFuture<>();
        written(store, new byte[0]).whenSettled(all::complete);
        all.get(60, TimeUnit.SECONDS);
        Path left = Files.createDirectory(folder.resolve("left"));
        for (Path segment : Bodies.segments(folder)) {
            if (Files.isRegularFile(segment)) {
                Files.copy(segment, left.resolve(segment.getFileName()));
            }
        }
        return left;
    }
}
