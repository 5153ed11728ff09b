package dev.understudy.relay.loop;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class InboxTest {
    private final AtomicInteger wakes = new AtomicInteger();
    private final EventLoop loop = new DefaultEventLoop() {
        @Override
        public void execute(Runnable task) {
            wakes.incrementAndGet();
            super.execute(task);
        }
    };
    private final Inbox inbox = new Inbox(loop);

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void work_isDoneInOrder_whateverThePauses() throws Exception {
        int producers = 3;
        int each = 3000;
        long seed = System.nanoTime();
        List<List<Integer>> done = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(producers * each);
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            List<Integer> mine = new ArrayList<>();
            done.add(mine);
            Random random = new Random(seed + p);
            threads.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    int number = n;
                    inbox.execute(() -> {
                        mine.add(number);
                        all.countDown();
                    });
                    if (random.nextInt(50) == 0) {
                        LockSupport.parkNanos(random.nextInt(8_000_000));
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        assertThat(all.await(60, TimeUnit.SECONDS)).as("seed " + seed).isTrue();
        for (List<Integer> mine : done) {
            assertThat(mine).as("seed " + seed).hasSize(each).isSorted();
        }
    }

    @Test
    void steadyWork_wakesTheLoopOnce() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        inbox.execute(first::countDown);
        assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
        CountDownLatch rest = new CountDownLatch(10_000);
        for (int n = 0; n < 10_000; n++) {
            inbox.execute(rest::countDown);
        }
        assertThat(rest.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(wakes.get()).isLessThan(100);
    }

    @Test
    void urgentWork_comesAfterWhatWasThereBefore() throws Exception {
        List<String> done = new ArrayList<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch filled = new CountDownLatch(1);
        CountDownLatch urgent = new CountDownLatch(1);
        // while the loop looks for work by itself, nothing else than urgent work is put into its own queue
        inbox.execute(() -> loop.execute(() -> {
            busy.countDown();
            awaitUninterruptibly(filled);
        }));
        assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
        inbox.execute(() -> done.add("first"));
        inbox.execute(() -> done.add("second"));
        inbox.executeSoon(() -> {
            done.add("urgent");
            urgent.countDown();
        });
        filled.countDown();
        assertThat(urgent.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(done).containsExactly("first", "second", "urgent");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void failingTask_leavesTheOthersAlone() throws Exception {
        CountDownLatch after = new CountDownLatch(1);
        inbox.execute(() -> {
            throw new IllegalStateException("expected by this test");
        });
        inbox.execute(after::countDown);
        assertThat(after.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
