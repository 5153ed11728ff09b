package dev.understudy.relay.split;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Signals that come while it starts. */
@Timeout(60)
final class ProxyServiceTest {
    private final StringWriter printed = new StringWriter();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Run run = new Run();

    @Test
    void signalWhileItStarts_isHeededOnceItServes_andItIsClosedInGoodOrder() throws Exception {
        ProxyService.serve(
                "proxy",
                () -> {
                    terminate();
                    return run;
                },
                stopped,
                new PrintWriter(printed));
        assertThat(run.waits.getCount()).as("told to wait no longer").isZero();
        assertThat(run.closed).isTrue();
        assertThat(printed.toString()).isEqualToIgnoringNewLines("goodbye");
    }

    @Test
    void signalWhileItGetsReady_isHeeded() throws Exception {
        run.atReady = this::terminate;
        ProxyService.serve("proxy", () -> run, stopped, new PrintWriter(printed));
        assertThat(run.closed).isTrue();
        assertThat(printed.toString()).isEqualToIgnoringNewLines("goodbye");
    }

    /** Raises SIGTERM for this very process, and waits until it was taken. */
    private void terminate() {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Object signal = type.getConstructor(String.class).newInstance("TERM");
            type.getMethod("raise", type).invoke(null, signal);
            assertThat(stopped.await(30, TimeUnit.SECONDS)).as("taken").isTrue();
        } catch (ReflectiveOperationException | InterruptedException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static final class Run implements ProxyRun {
        final CountDownLatch waits = new CountDownLatch(1);
        Runnable atReady = () -> {};
        boolean closed;

        @Override
        public String ready() throws InterruptedException {
            atReady.run();
            waits.await();
            return NOT_READY;
        }

        @Override
        public void stopWaiting() {
            waits.countDown();
        }

        @Override
        public List<String> lastLines() {
            return List.of("goodbye");
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void hurry() {
            throw new AssertionError("nobody asked for it");
        }
    }
}
