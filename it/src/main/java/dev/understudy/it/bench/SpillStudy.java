package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Redis;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.Subject;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.SpilledBlock;
import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast a window goes to disk and comes back, and what that does to the relay. */
@Command(name = "spill", mixinStandardHelpOptions = true, description = "The window's way to disk and back.")
final class SpillStudy implements Callable<Integer> {
    private static final int BLOCK = 256 << 10;
    private static final int UNDERWAY = 32;
    private static final double LEAST_MEGABYTES = 500;
    private static final int VALUE = 64 << 10;
    private static final String OFF = "sidecar, no tee";
    private static final String DISK = "debug stalled, to disk";

    @Mixin
    private Stage stage = new Stage();

    @Mixin
    private Rounds rounds = new Rounds();

    @Option(
            names = "--megabytes",
            defaultValue = "2048",
            description = "How much goes there and back in the process itself (default: 2048).")
    private int megabytes = 2048;

    @Option(
            names = "--disk",
            paramLabel = "FOLDER",
            description = "Where the segments are (default: a temporary folder).")
    private @Nullable Path disk;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        List<Subject> open = new ArrayList<>();
        try (Backends backends = new Backends(folder)) {
            Path segments = disk == null ? folder.resolve("segments") : disk;
            Table table = new Table();
            inProcess(segments, table);
            endToEnd(folder, segments, backends, open, table);
            stage.put("Spill to disk", table.toString());
            return 0;
        } finally {
            open.forEach(Subject::close);
            Stage.remove(folder);
        }
    }

    /** As a lane does it: blocks are made here, written and read on the spill's thread. */
    private void inProcess(Path segments, Table table) throws IOException, InterruptedException {
        int blocks = megabytes * 4;
        long bytes = (long) blocks * BLOCK;
        AtomicReferenceArray<SpilledBlock> places = new AtomicReferenceArray<>(blocks);
        try (Spill spill = Spill.open(segments, PooledByteBufAllocator.DEFAULT, bytes + (64L << 20))) {
            Stage.progress("spill: " + megabytes + " MB, first to warm up");
            write(spill, Math.min(blocks, 512), new AtomicReferenceArray<>(blocks));
            double plain = written(segments) / 1e6;
            double out = write(spill, blocks - Math.min(blocks, 512), places);
            long written = (long) (blocks - Math.min(blocks, 512)) * BLOCK;
            double in = read(spill, blocks - Math.min(blocks, 512), places);
            double there = written / 1e6 / out;
            double back = written / 1e6 / in;
            table.line("In one process, blocks of 256 KiB with checksums, %,.0f MB there and then back:"
                            .formatted(written / 1e6))
                    .line("")
                    .line("| | MB/s | target | |")
                    .line("| --- | --- | --- | --- |")
                    .line("| yardstick: one file, written plainly without checksums | %,.0f | – | |".formatted(plain))
                    .line(row("to disk", there))
                    .line(row("back", back))
                    .line("");
        }
    }

    private static String row(String what, double rate) {
        return "| %s | %,.0f | ≥ %.0f | %s |"
                .formatted(what, rate, LEAST_MEGABYTES, rate >= LEAST_MEGABYTES ? "met" : "**missed**");
    }

    /** Bytes a second that the file system takes from a plain loop. */
    private double written(Path segments) throws IOException {
        Path file = Files.createTempFile(segments, "plain", "");
        ByteBuffer data = ByteBuffer.allocateDirect(BLOCK);
        long begun = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int n = 0; n < megabytes * 4; n++) {
                data.clear();
                while (data.hasRemaining()) {
                    channel.write(data);
                }
            }
            return (double) megabytes * 4 * BLOCK / ((System.nanoTime() - begun) / 1e9);
        } finally {
            Files.delete(file);
        }
    }

    /** Seconds until {@code count} blocks were written. */
    private static double write(Spill spill, int count, AtomicReferenceArray<SpilledBlock> places)
            throws IOException, InterruptedException {
        ByteBuf data = Unpooled.wrappedBuffer(new byte[BLOCK - BlockWriter.HEADER - BlockWriter.RECORD]);
        Semaphore room = new Semaphore(UNDERWAY);
        AtomicLong lost = new AtomicLong();
        long begun = System.nanoTime();
        for (int n = 0; n < count; n++) {
            room.acquire();
            BlockWriter writer = new BlockWriter(spill.allocator(), n, BLOCK);
            writer.add(StreamEvent.REQUEST, n, data.readerIndex(0), data.capacity());
            int place = n;
            boolean taken = spill.write(writer.finish(), Runnable::run, written -> {
                if (written == null) {
                    lost.incrementAndGet();
                } else {
                    places.set(place, written);
                }
                room.release();
            });
            if (!taken) {
                throw new IOException("block " + n + " wasn't taken");
            }
        }
        room.acquire(UNDERWAY);
        if (lost.get() > 0) {
            throw new IOException(lost + " blocks couldn't be written");
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    /** Seconds until the blocks were read and given up. */
    private static double read(Spill spill, int count, AtomicReferenceArray<SpilledBlock> places)
            throws IOException, InterruptedException {
        CountDownLatch left = new CountDownLatch(count);
        AtomicLong lost = new AtomicLong();
        long begun = System.nanoTime();
        for (int n = 0; n < count; n++) {
            SpilledBlock place = places.get(n);
            spill.read(place, Runnable::run, block -> {
                release(block, lost);
                spill.free(place);
                left.countDown();
            });
        }
        left.await();
        if (lost.get() > 0) {
            throw new IOException(lost + " blocks couldn't be read back");
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void release(@Nullable BlockReader block, AtomicLong lost) {
        if (block == null) {
            lost.incrementAndGet();
        } else {
            block.release();
        }
    }

    private void endToEnd(Path folder, Path segments, Backends backends, List<Subject> open, Table table)
            throws IOException, InterruptedException {
        String window = "window: { lane-memory: 16MiB, memory: 64MiB, disk: 64GiB, disk-directory: " + segments + " }";
        open.add(Subject.sidecar(folder, stage.sidecar(), backends, OFF, 0, 0, ""));
        open.add(
                Subject.sidecar(folder, stage.sidecar(), backends, DISK, backends.silent(), backends.silent(), window));
        Workload bulk = new Redis("Redis, SET of 64 KiB", "set", VALUE, 1, 4000 * rounds.seconds());
        Results results = rounds.measure("spill", open, List.of(bulk));
        double spilled = open.get(1).metric("understudy_spill_transferred_bytes_total{direction=\"out\"}") / 1e6;
        double lost = open.get(1).metric("understudy_lane_losses_total{listener=\"redis\"");
        double relayed = results.median(bulk, DISK, Sample::perSecond) * VALUE / 1e6;
        table.line("Through a sidecar whose debug JVM stands, while clients send production values of 64 KiB:")
                .line("")
                .compare(results, List.of(bulk), List.of(OFF, DISK), OFF)
                .line(("The relay carried %,.0f MB/s meanwhile; %,.0f MB went to disk in "
                                + "all, and there were %.0f losses.")
                        .formatted(relayed, spilled, lost));
    }
}
