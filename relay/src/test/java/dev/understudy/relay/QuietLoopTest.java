package dev.understudy.relay;

import dev.understudy.relay.loop.Transport;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A connection on which nothing can happen costs its loop nothing, however its sockets are shut down. */
final class QuietLoopTest {
    private static final long WATCHED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long ALLOWED_NANOS = TimeUnit.MILLISECONDS.toNanos(15);
    private static final int MIB = 1 << 20;

    private enum State {
        IDLE {
            @Override
            void reach(Socket client, Socket production) {}
        },
        CLIENT_HALF_CLOSED {
            @Override
            void reach(Socket client, Socket production) throws Exception {
                client.shutdownOutput();
                assertThat(production.getInputStream().read()).isEqualTo(-1);
            }
        },
        PRODUCTION_HALF_CLOSED {
            @Override
            void reach(Socket client, Socket production) throws Exception {
                production.shutdownOutput();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        },
        BOTH_HALF_CLOSED_WITH_BYTES_UNREAD {
            @Override
            void reach(Socket client, Socket production) throws Exception {
                client.setSendBufferSize(4 * MIB);
                // Whatever the machine's kernel would let it grow to: not all is to fit.
                production.setReceiveBufferSize(64 * 1024);
                CompletableFuture<String> sent = Bytes.async(() -> Bytes.send(client.getOutputStream(), 1, 7L * MIB));
                PRODUCTION_HALF_CLOSED.reach(client, production);
                sent.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                client.shutdownOutput();
            }
        },
        REPLY_UNREAD {
            @Override
            void reach(Socket client, Socket production) throws Exception {
                CLIENT_HALF_CLOSED.reach(client, production);
                Bytes.async(() -> Bytes.send(production.getOutputStream(), 1, 40L * MIB));
            }
        };

        abstract void reach(Socket client, Socket production) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("all")
    void loop_isQuiet(Transport transport, State state) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            String thread = threadName(stage);
            state.reach(stage.client(), stage.accepted());
            RelayStage.await("a quiet loop, " + state, () -> isQuiet(thread));
            assertThat(stage.listener.open()).isEqualTo(1);
        }
    }

    static Stream<Arguments> all() {
        return Stream.of(Transport.EPOLL, Transport.IO_URING)
                .flatMap(transport -> Arrays.stream(State.values()).map(state -> Arguments.of(transport, state)));
    }

    private static String threadName(RelayStage stage) throws Exception {
        return stage.loops
                .relay()
                .next()
                .submit(() -> Thread.currentThread().getName())
                .get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whether the loop takes next to no time for a while. */
    static boolean isQuiet(String thread) {
        long before = cpuNanos(thread);
        long begun = System.nanoTime();
        RelayStage.await("time", () -> System.nanoTime() - begun > WATCHED_NANOS);
        return cpuNanos(thread) - before < ALLOWED_NANOS;
    }

    private static long cpuNanos(String thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null && info.getThreadName().equals(thread)) {
                return threads.getThreadCpuTime(info.getThreadId());
            }
        }
        throw new AssertionError("no thread " + thread);
    }
}
