package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class FiledStepsTest {
    @TempDir
    private Path folder;

    private LargeBodies store;

    @BeforeEach
    void open() throws Exception {
        store = LargeBodies.open(
                folder, UnpooledByteBufAllocator.DEFAULT, 256 << 20, 1 << 16, new MemoryBudget(256 << 20, null));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void steps_comeBackInTheirOrder() throws Exception {
        for (long seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            BodyWriter file = store.begin();
            List<String> written = write(new StepWriter(file), random);
            written.add("over");
            assertThat(read(file.finish())).as("seed %d", seed).isEqualTo(joined(written));
        }
    }

    @Test
    void otherBytes_throwNothing_andEnd() throws Exception {
        int lost = 0;
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[1 + random.nextInt(seed % 10 == 0 ? 600_000 : 200)];
            random.nextBytes(bytes);
            for (int at = 0; at < bytes.length; at += 1 + random.nextInt(40)) {
                bytes[at] = (byte) random.nextInt(4);
            }
            BodyWriter file = store.begin();
            file.add(bytes);
            List<String> steps = read(file.finish());
            assertThat(steps.get(steps.size() - 1)).as("seed %d", seed).isIn("lost", "over");
            lost += steps.contains("lost") ? 1 : 0;
        }
        assertThat(lost).isGreaterThan(30);
    }

    @Test
    void lengthThatIsOnlyAnnounced_isLost() throws Exception {
        for (int length : new int[] {Integer.MAX_VALUE, -1, 0}) {
            BodyWriter file = store.begin();
            file.add(ByteBuffer.allocate(10).put(StepWriter.TOLD).putInt(length).rewind());
            assertThat(read(file.finish())).last().isEqualTo("lost");
        }
    }

    private static List<String> write(StepWriter writer, Random random) {
        List<String> steps = new ArrayList<>();
        for (int n = random.nextInt(300); n >= 0; n--) {
            byte[] bytes = new byte[random.nextInt(3) > 0 ? GrpcMessages.HASH : 1 + random.nextInt(20_000)];
            random.nextBytes(bytes);
            if (random.nextInt(20) == 0) {
                writer.ended();
                steps.add("ended");
            } else if (bytes.length == GrpcMessages.HASH) {
                writer.said(bytes);
                steps.add("said " + ByteBufUtil.hexDump(bytes));
            } else {
                writer.told(ByteBuffer.wrap(bytes));
                steps.add("told " + ByteBufUtil.hexDump(bytes));
            }
        }
        return steps;
    }

    /** All steps, what was told in succession as one. */
    private static List<String> read(LargeBody body) throws Exception {
        BlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
        CountDownLatch written = new CountDownLatch(1);
        body.whenSettled(whole -> written.countDown());
        assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        FiledSteps steps = new FiledSteps(body, loop::add, () -> {});
        List<String> read = new ArrayList<>();
        while (true) {
            GrpcStep step = steps.next();
            if (step == null) {
                Objects.requireNonNull(loop.poll(60, TimeUnit.SECONDS)).run();
            } else if (step instanceof GrpcStep.Said said) {
                read.add("said " + ByteBufUtil.hexDump(said.hash()));
            } else if (step instanceof GrpcStep.Told told) {
                read.add("told " + ByteBufUtil.hexDump(told.bytes()));
                told.bytes().release();
            } else if (step instanceof GrpcStep.Ended) {
                read.add("ended");
            } else {
                read.add(step instanceof GrpcStep.Over ? "over" : "lost");
                steps.close();
                return joined(read);
            }
        }
    }

    private static List<String> joined(List<String> steps) {
        List<String> joined = new ArrayList<>();
        for (String step : steps) {
            int last = joined.size() - 1;
            if (last >= 0 && step.startsWith("told ") && joined.get(last).startsWith("told ")) {
                joined.set(last, joined.get(last) + step.substring(5));
            } else {
                joined.add(step);
            }
        }
        return joined;
    }
}
