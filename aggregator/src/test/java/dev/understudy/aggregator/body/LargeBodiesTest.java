package dev.understudy.aggregator.body;

import dev.understudy.aggregator.Eventually;
import dev.understudy.relay.TinyDisk;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.stream.BlockWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.aggregator.body.Bodies.MIB;
import static dev.understudy.aggregator.body.Bodies.bytes;
import static dev.understudy.aggregator.body.Bodies.next;
import static dev.understudy.aggregator.body.Bodies.whole;
import static dev.understudy.aggregator.body.Bodies.written;
import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of large bodies within one process. */
class LargeBodiesTest {
    /** Bytes of a piece that aren't its body's. */
    private static final int HEADS = BlockWriter.HEADER + BlockWriter.RECORD;

    @TempDir
    private Path folder;

    private @Nullable LargeBodies open;

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    @Test
    void body_isReadBackAsItWas_howeverItCame() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            byte[] body = bytes(random.nextInt(3 * LargeBodies.PIECE), seed);
            BodyWriter writer = store.begin();
            for (int at = 0; at < body.length; ) {
                int some = Math.min(body.length - at, 1 + random.nextInt(1 << 17));
                ByteBuffer data = ByteBuffer.wrap(body, at, some);
                writer.add(data);
                assertThat(data.hasRemaining()).isFalse();
                at += some;
            }
            LargeBody written = writer.finish();
            assertThat(written.length()).isEqualTo(body.length);
            assertThat(whole(written)).isTrue();
            assertThat(Bodies.read(written)).as("seed %d", seed).isEqualTo(body);
        }
    }

    @Test
    void sum_tellsBodiesApart_byTheirBytesAlone() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        byte[] body = bytes(MIB, 1);
        LargeBody one = written(store, body);
        LargeBody same = written(store, body);
        body[MIB - 1] ^= 1;
        LargeBody other = written(store, body);
        assertThat(same.sum()).isEqualTo(one.sum()).isNotEqualTo(other.sum());
        assertThat(same.id()).isNotEqualTo(one.id());
    }

    @Test
    void body_isSettled_onlyOnceItsLastPieceIsWritten() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        CountDownLatch slow = busy(store);
        CompletableFuture<Boolean> settled = new CompletableFuture<>();
        BodyWriter writer = store.begin();
        writer.add(bytes(2 * LargeBodies.PIECE, 2));
        LargeBody body = writer.finish();
        body.whenSettled(settled::complete);
        assertThat(settled).isNotDone();
        slow.countDown();
        assertThat(settled.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void discardedBody_leavesItsRoomToOthers_whetherItWasWrittenByThenOrNot() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        LargeBody body = written(store, bytes(3 * MIB, 1));
        body.discard();
        body.discard();
        LargeBody settled = written(store, bytes(3 * MIB, 2));
        assertThat(whole(settled)).isTrue();
        BodyReader reader = settled.read();
        settled.discard();
        Eventually.await(() -> store.used() == 0);
        assertThat(store.crowded()).isFalse();
        assertThat(next(reader)).isNull();
        assertThat(whole(settled)).isFalse();
    }

    @Test
    void bodyThatNobodyHasAnyMore_isDiscarded() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        written(store, bytes(MIB, 1));
        Eventually.await(() -> {
            System.gc();
            return store.used() == 0;
        });
    }

    @Test
    void abandonedBody_leavesNothing() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        BodyWriter writer = store.begin();
        writer.add(bytes(MIB + 1000, 1));
        assertThat(writer.heldBytes()).isEqualTo(LargeBodies.PIECE);
        writer.abandon();
        assertThat(writer.heldBytes()).isZero();
        Eventually.await(() -> store.used() == 0 && store.waiting() == 0);
    }

    @Test
    void bodyLargerThanTheRoom_isLostForThatReason_andItsRoomIsFreeAgain() throws Exception {
        LargeBodies store = store(4 * MIB, 64 * MIB);
        LargeBody first = written(store, bytes(MIB, 1));
        BodyWriter writer = store.begin();
        writer.add(bytes(5 * MIB, 2));
        writer.add(bytes(1000, 3));
        assertThat(writer.loss()).isEqualTo(Loss.NO_ROOM);
        assertThat(writer.length()).as("all that came").isEqualTo(5 * MIB + 1000);
        assertThat(store.used()).isLessThanOrEqualTo(store.capacity());
        Eventually.await(() -> store.used() <= 2 * MIB);
        LargeBody lost = writer.finish();
        assertThat(whole(lost)).isFalse();
        lost.discard();
        assertThat(Bodies.read(first)).isEqualTo(bytes(MIB, 1));
        Eventually.await(() -> store.used() == 0);
        assertThat(whole(written(store, bytes(2 * MIB, 4)))).isTrue();
    }

    @Test
    void whoeverWrites_isToldOfACrowd_beforeThereIsNoRoom() throws Exception {
        LargeBodies store = store(8 * MIB, 64 * MIB);
        AtomicInteger told = new AtomicInteger();
        LargeBody old = written(store, bytes(5 * MIB, 1));
        assertThat(store.crowded()).isFalse();
        store.whenCrowded(() -> {
            told.incrementAndGet();
            old.discard();
        });
        LargeBody next = written(store, bytes(2 * MIB, 2));
        assertThat(told).hasValue(1);
        assertThat(whole(old)).isFalse();
        assertThat(whole(next)).isTrue();
    }

    @Test
    void moreThanMayWaitForTheDisk_isLostForThatReason_andMemoryIsGivenBack() throws Exception {
        MemoryBudget memory = new MemoryBudget(2L * LargeBodies.PIECE, null);
        LargeBodies store = LargeBodies.open(folder, UnpooledByteBufAllocator.DEFAULT, 64L * MIB, MIB, memory);
        open = store;
        CountDownLatch slow = busy(store);
        BodyWriter writer = store.begin();
        writer.add(bytes(4 * LargeBodies.PIECE, 2));
        assertThat(writer.loss()).isEqualTo(Loss.SLOW);
        assertThat(memory.used()).isLessThanOrEqualTo(2L * LargeBodies.PIECE);
        writer.abandon();
        slow.countDown();
        Eventually.await(() -> store.used() == 0 && memory.used() == 0 && store.waiting() == 0);
    }

    @Test
    void damagedPiece_isNeverGivenToAnybody_andThoseAroundItAre() throws Exception {
        LargeBodies store = LargeBodies.keep(
                folder, UnpooledByteBufAllocator.DEFAULT, 64L * MIB, MIB, new MemoryBudget(64L * MIB, null));
        open = store;
        LargeBody body = written(store, bytes(MIB, 1));
        assertThat(whole(body)).isTrue();
        Bodies.flipBit(Bodies.segments(folder).get(0), LargeBodies.PIECE + 1000);
        BodyReader reader = body.read();
        int piece = LargeBodies.PIECE - HEADS;
        assertThat(next(reader)).isEqualTo(Arrays.copyOf(bytes(MIB, 1), piece));
        assertThat(next(reader)).isNull();
        assertThat(next(reader)).isEqualTo(Arrays.copyOfRange(bytes(MIB, 1), 2 * piece, 3 * piece));
        reader.close();
        Eventually.await(() -> store.used() == 0);
    }

    /** A real file system that is really full; needs the right to mount one, and is skipped without. */
    @Test
    @Tag("process")
    void fullDisk_losesTheBodyForThatReason_untilThereIsRoomAgain() throws Exception {
        try (TinyDisk tiny = TinyDisk.mount(folder.resolve("tiny"));
                LargeBodies store = LargeBodies.keep(
                        tiny.folder.resolve("bodies"),
                        UnpooledByteBufAllocator.DEFAULT,
                        64L * MIB,
                        MIB,
                        new MemoryBudget(64L * MIB, null))) {
            LargeBody first = written(store, bytes(MIB, 1));
            assertThat(whole(first)).isTrue();
            LargeBody lost = written(store, bytes(16 * (LargeBodies.PIECE - HEADS), 2));
            assertThat(whole(lost)).isFalse();
            assertThat(store.trouble()).contains("No space left");
            BodyWriter refused = store.begin();
            Eventually.await(() -> {
                refused.add(bytes(LargeBodies.PIECE, 3));
                return refused.loss() == Loss.FAILED;
            });
            refused.abandon();
            lost.discard();
            assertThat(Bodies.read(first)).as("what was written before").isEqualTo(bytes(MIB, 1));
            Eventually.await(() -> store.used() == 0);
            Eventually.await(() -> whole(written(store, bytes(MIB / 2, 4))));
            assertThat(store.trouble()).isEmpty();
        }
    }

    @Test
    void reader_isToldOnItsOwnThread_andNeverBeforeItsCallReturns() throws Exception {
        LargeBodies store = store(64 * MIB, 64 * MIB);
        LargeBody body = written(store, bytes(1000, 1));
        assertThat(whole(body)).isTrue();
        BodyReader reader = body.read();
        CompletableFuture<Runnable> later = new CompletableFuture<>();
        CompletableFuture<@Nullable ByteBuf> told = new CompletableFuture<>();
        reader.next(later::complete, told::complete);
        Runnable telling = later.get(60, TimeUnit.SECONDS);
        assertThat(told).isNotDone();
        telling.run();
        ByteBuf piece = Objects.requireNonNull(told.get());
        assertThat(piece.readableBytes()).isEqualTo(1000);
        piece.release();
        assertThat(reader.hasNext()).isFalse();
    }

    private LargeBodies store(long capacity, long memory) throws IOException {
        LargeBodies store = LargeBodies.open(
                folder, UnpooledByteBufAllocator.DEFAULT, capacity, MIB, new MemoryBudget(memory, null));
        open = store;
        return store;
    }

    /** Keeps the files' thread from all else until it is let go. */
    private static CountDownLatch busy(LargeBodies store) throws Exception {
        LargeBody body = written(store, bytes(1000, 1));
        assertThat(whole(body)).isTrue();
        CountDownLatch slow = new CountDownLatch(1);
        BodyReader reader = body.read();
        reader.next(Runnable::run, piece -> {
            Objects.requireNonNull(piece).release();
            try {
                slow.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            reader.close();
        });
        return slow;
    }
}
