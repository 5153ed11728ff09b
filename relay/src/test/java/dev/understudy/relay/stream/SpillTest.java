package dev.understudy.relay.stream;

import dev.understudy.relay.TinyDisk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

final class SpillTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    private Spill spill;

    @BeforeEach
    void open() throws IOException {
        spill = Spill.open(folder.resolve("deep/er"), UnpooledByteBufAllocator.DEFAULT, 16 * MIB);
    }

    @AfterEach
    void close() throws Exception {
        spill.close();
        await(() -> !Files.exists(spill.directory()));
    }

    @Test
    void block_comesBackAsItWas_andLeavesNothingBehind() throws Exception {
        SpilledBlock place = written(block(1, 5000));
        assertThat(spill.used()).isEqualTo(place.length());
        @Nullable BlockReader back = read(place);
        assertThat(Objects.requireNonNull(back).connection()).isEqualTo(1);
        assertThat(back.length()).isEqualTo(5000);
        back.release();
        spill.free(place);
        await(() -> spill.used() == 0);
        assertThat(segments()).isEmpty();
    }

    @Test
    void files_areForTheirOwnerOnly() throws Exception {
        written(block(1, 10));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(spill.directory())))
                .isEqualTo("rwx------");
        assertThat(segments())
                .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
    }

    @Test
    void fullSpill_refusesWithoutTakingTheBlock() throws Exception {
        List<SpilledBlock> places = new ArrayList<>();
        for (int n = 0; n < 15; n++) {
            places.add(written(block(n, MIB)));
        }
        ByteBuf tooMuch = block(99, MIB);
        assertThat(spill.write(tooMuch, Runnable::run, place -> {})).isFalse();
        assertThat(tooMuch.refCnt()).isEqualTo(1);
        tooMuch.release();
        assertThat(spill.used()).isLessThanOrEqualTo(spill.capacity());
        places.forEach(spill::free);
        await(() -> spill.used() == 0);
        written(block(99, MIB));
    }

    @Test
    void fewBlocksInManySegments_areMovedTogether() throws Exception {
        List<SpilledBlock> small = new ArrayList<>();
        for (int n = 0; n < 14; n++) {
            small.add(written(block(n, 100)));
            SpilledBlock large = written(block(n, MIB - 1000));
            spill.free(large);
        }
        // without moving, each of them would hold a segment of its own
        await(() -> spill.used() <= 8L * MIB);
        for (int n = 0; n < small.size(); n++) {
            @Nullable BlockReader back = read(small.get(n));
            assertThat(Objects.requireNonNull(back).connection()).isEqualTo(n);
            back.release();
        }
        small.forEach(spill::free);
        await(() -> spill.used() == 0);
        assertThat(segments()).isEmpty();
    }

    @Test
    void damagedOrShortenedFile_isALostBlock_notAnException() throws Exception {
        SpilledBlock place = written(block(1, 1000));
        SpilledBlock next = written(block(2, 1000));
        try (RandomAccessFile file = new RandomAccessFile(segments().get(0).toFile(), "rw")) {
            file.seek(500);
            file.write(file.read() + 1);
            file.setLength(place.length() + 10);
        }
        assertThat(read(place)).isNull();
        assertThat(read(next)).isNull();
    }

    @Test
    void deletedFile_isALostBlock() throws Exception {
        List<SpilledBlock> places = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            places.add(written(block(n, MIB - 1000)));
        }
        for (Path segment : segments()) {
            Files.delete(segment);
        }
        assertThat(spill.write(block(1, 10), Runnable::run, place -> {})).isTrue();
        await(() -> spill.written() > 0);
        assertThat(places).allSatisfy(place -> assertThat(place.length()).isPositive());
    }

    @Test
    void directoryThatIsGone_makesWritingFail_untilItIsBack() throws Exception {
        Files.delete(spill.directory().resolve("lock"));
        Files.delete(spill.directory());
        assertThat(write(block(1, 10))).isNull();
        assertThat(spill.failing()).isTrue();
        assertThat(spill.used()).isZero();
        // for a second after each failure
        await(() -> {
            ByteBuf refused = block(1, 10);
            boolean taken = spill.write(refused, Runnable::run, place -> {});
            if (!taken) {
                refused.release();
            }
            return !taken;
        });
        Files.createDirectory(spill.directory());
        ByteBuf block = block(1, 10);
        await(() -> spill.write(block, Runnable::run, place -> {}));
        await(() -> !spill.failing());
    }

    @Test
    void directoriesOfDeadProcesses_areRemoved_thoseOfLiveOnesNot() throws Exception {
        Path parent = Objects.requireNonNull(spill.directory().getParent());
        Path stale = Files.createDirectory(parent.resolve("spill-1-dead"));
        Files.createFile(stale.resolve("lock"));
        Files.write(stale.resolve("segment-1"), new byte[100]);
        Path other = Files.createDirectory(parent.resolve("something-else"));
        try (Spill second = Spill.open(parent, UnpooledByteBufAllocator.DEFAULT, MIB)) {
            assertThat(stale).doesNotExist();
            assertThat(other).exists();
            assertThat(spill.directory()).exists();
            assertThat(second.directory()).isNotEqualTo(spill.directory());
        }
    }

    @Test
    void directory_staysLocked_whenThisProcessOpensAnother() throws Exception {
        Path locks = Path.of("/proc/locks");
        assumeTrue(Files.isReadable(locks));
        String inode = ":" + Files.getAttribute(spill.directory().resolve("lock"), "unix:ino") + " ";
        Path parent = Objects.requireNonNull(spill.directory().getParent());
        try (Spill second = Spill.open(parent, UnpooledByteBufAllocator.DEFAULT, MIB)) {
            assertThat(second.directory()).isNotEqualTo(spill.directory());
            assertThat(Files.readAllLines(locks)).anyMatch(line -> line.contains(inode));
        }
    }

    @Test
    void keptSpill_isFoundByTheNext_butForWhatWasFreedOrMoved() throws Exception {
        Path kept = folder.resolve("kept");
        try (Spill first = Spill.keep(kept, "a test", UnpooledByteBufAllocator.DEFAULT, 64 * MIB)) {
            List<SpilledBlock> places = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                places.add(Objects.requireNonNull(write(first, block(n, 1000))));
            }
            first.free(places.get(3));
            first.free(places.get(9));
            assertThatThrownBy(() -> Spill.keep(kept, "another", UnpooledByteBufAllocator.DEFAULT, MIB))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
        try (Spill next = Spill.keep(kept, "a test", UnpooledByteBufAllocator.DEFAULT, 64 * MIB)) {
            List<Long> connections = new ArrayList<>();
            List<SpilledBlock> places = new ArrayList<>();
            load(next, (block, place) -> {
                connections.add(block.connection());
                places.add(place);
                return block.connection() != 5;
            });
            assertThat(connections).containsExactly(0L, 1L, 2L, 4L, 5L, 6L, 7L, 8L);
            write(next, block(99, 1000));
            CompletableFuture<@Nullable BlockReader> read = new CompletableFuture<>();
            next.read(places.get(6), Runnable::run, read::complete);
            assertThat(Objects.requireNonNull(read.get()).connection()).isEqualTo(7);
            read.get().release();
        }
        try (Spill last = Spill.keep(kept, "a test", UnpooledByteBufAllocator.DEFAULT, 64 * MIB)) {
            List<Long> connections = new ArrayList<>();
            List<SpilledBlock> places = new ArrayList<>();
            load(last, (block, place) -> {
                places.add(place);
                return connections.add(block.connection());
            });
            assertThat(connections).containsExactly(0L, 1L, 2L, 4L, 6L, 7L, 8L, 99L);
            places.forEach(last::free);
            await(() -> last.used() == 0);
        }
        try (Stream<Path> files = Files.list(kept)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("lock");
        }
    }

    private static void load(Spill spill, BiPredicate<BlockReader, SpilledBlock> wanted) throws Exception {
        CompletableFuture<String> all = new CompletableFuture<>();
        spill.load(new FoundBlocks() {
            @Override
            public boolean block(BlockReader block, SpilledBlock place) {
                return wanted.test(block, place);
            }

            @Override
            public void damaged(String what) {
                all.complete(what);
            }

            @Override
            public void all() {
                all.complete("");
            }
        });
        assertThat(all.get()).isEmpty();
    }

    /** A real file system that is really full; needs the right to mount one, and is skipped without. */
    @Tag("process")
    @Test
    void fileSystemThatIsFull_leavesTheBlockWithItsLane_untilThereIsRoom() throws Exception {
        try (TinyDisk small = TinyDisk.mount(folder.resolve("small"));
                Spill full = Spill.open(small.folder, UnpooledByteBufAllocator.DEFAULT, 64 * MIB)) {
            List<SpilledBlock> places = new ArrayList<>();
            @Nullable SpilledBlock place = write(full, block(1, MIB));
            while (place != null) {
                places.add(place);
                place = write(full, block(1, MIB));
            }
            assertThat(places).hasSize(1);
            assertThat(full.failing()).isTrue();
            assertThat(full.used()).isEqualTo(places.get(0).length());
            places.forEach(full::free);
            await(() -> full.used() == 0);
            ByteBuf block = block(1, MIB);
            await(() -> full.write(block, Runnable::run, written -> {}));
            await(() -> !full.failing());
        }
    }

    private static void await(Callable<Boolean> reached) throws Exception {
        long begun = System.nanoTime();
        while (!reached.call()) {
            assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(spill.directory())) {
            return files.filter(file -> !file.endsWith("lock")).toList();
        }
    }

    static ByteBuf block(long connection, int length) {
        BlockWriter writer = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, connection, 2 * MIB);
        writer.add(StreamEvent.REQUEST, 1, Unpooled.buffer(length).writeZero(length), length);
        return writer.finish();
    }

    private SpilledBlock written(ByteBuf block) throws Exception {
        return Objects.requireNonNull(write(block));
    }

    private @Nullable SpilledBlock write(ByteBuf block) throws Exception {
        return write(spill, block);
    }

    private static @Nullable SpilledBlock write(Spill to, ByteBuf block) throws Exception {
        CompletableFuture<@Nullable SpilledBlock> done = new CompletableFuture<>();
        assertThat(to.write(block, Runnable::run, done::complete)).isTrue();
        return done.get();
    }

    private @Nullable BlockReader read(SpilledBlock place) throws Exception {
        CompletableFuture<@Nullable BlockReader> done = new CompletableFuture<>();
        spill.read(place, Runnable::run, done::complete);
        return done.get();
    }
}
