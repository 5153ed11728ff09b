package dev.understudy.relay.split;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a child, which does what production doesn't need, starts it again when it has ended, and ends it with this
 * one. Thread-safe.
 *
 * <p>It works on a thread of its own; the relay never hears of it. Orders are bytes on the child's standard
 * input: {@link #END}, and another to hurry. It also ends when its input does, so that it can't outlive this one. Of
 * what it prints a line is kept to {@value #LONGEST_LINE} bytes.
 */
final class ChildSupervisor implements AutoCloseable {
    /** Begins the line by which the child says that it is ready. */
    public static final String READY = "understudy child ready: ";

    /** Orders the child to end in good order, or to hurry if it does so already. */
    public static final int END = 'e';

    static final int LONGEST_LINE = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger(ChildSupervisor.class);
    private static final long SHORTEST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final long LONG_LIFE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final String ENDED = "ended with exit code ";
    private static final String WRONG_SETTINGS = ENDED + 2;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final String name;
    private final Function<String, ProcessBuilder> command;
    private final Consumer<String> output;
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "understudy-child");
    private volatile @Nullable Process process;
    private volatile boolean ready;
    private volatile boolean closed;

    /** Guarded by this, as is the next. */
    private boolean ordered;

    private boolean hurried;

    /** What the last child said after {@link #READY}; only touched on the thread. */
    private String address = "";

    private ChildSupervisor(String name, Function<String, ProcessBuilder> command, Consumer<String> output) {
        this.name = name;
        this.command = command;
        this.output = output;
        thread.setDaemon(true);
    }

    /**
     * Starts it.
     *
     * @param name what the child is called in messages, such as "lane process"
     * @param command makes the process, given what the last one said after {@link #READY}, and "" at first;
     *     its standard error is this process's
     * @param output gets the lines that it prints, but for those by which it says that it is ready
     */
    static ChildSupervisor start(String name, Function<String, ProcessBuilder> command, Consumer<String> output) {
        ChildSupervisor supervisor = new ChildSupervisor(name, command, output);
        supervisor.thread.start();
        return supervisor;
    }

    /**
     * What the first child said after {@link #READY}; "" if it isn't ready within {@code patience}, as on a
     * machine that is busy with something else. It is started again from then on, whatever becomes of it.
     *
     * @throws IOException if it ended before, by its own account because its settings are wrong
     */
    String awaitReady(Duration patience) throws IOException, InterruptedException {
        try {
            first.completeOnTimeout("", patience.toNanos(), TimeUnit.NANOSECONDS);
            return first.get();
        } catch (ExecutionException ended) {
            Throwable why = ended.getCause();
            throw new IOException(why == null ? "the " + name + " ended" : why.getMessage(), ended);
        }
    }

    /** Has {@link #awaitReady} wait no longer. */
    void stopWaiting() {
        first.complete("");
    }

    private void run() {
        long pause = SHORTEST_PAUSE_MILLIS;
        while (true) {
            long begun = System.nanoTime();
            String ending = live();
            boolean isWrong = ending.equals(WRONG_SETTINGS)
                    && first.completeExceptionally(
                            new IOException("the " + name + " " + ending + " before it was ready"));
            pause = System.nanoTime() - begun > LONG_LIFE_NANOS ? SHORTEST_PAUSE_MILLIS : pause;
            if (closed || isWrong) {
                return;
            }
            LOG.warn("the {} {}; production goes on, and it is started again in {} ms", name, ending, pause);
            if (endsWithin(pause)) {
                return;
            }
            pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
        }
    }

    private boolean endsWithin(long millis) {
        try {
            return end.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException left) {
            return true;
        }
    }

    /** One life of the child; says how it ended. */
    private String live() {
        try {
            Process started = command.apply(address)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process = started;
            if (closed) {
                started.destroyForcibly();
            }
            read(started.getInputStream());
            return ENDED + started.waitFor();
        } catch (IOException notStarted) {
            return "couldn't be started: " + notStarted.getMessage();
        } catch (InterruptedException left) {
            return "was left";
        } catch (RuntimeException | Error defect) {
            return "was lost: " + defect;
        } finally {
            Process ended = process;
            if (ended != null) {
                ended.destroyForcibly();
            }
            process = null;
            ready = false;
        }
    }

    private void read(InputStream lines) throws IOException {
        byte[] line = new byte[LONGEST_LINE];
        int length = 0;
        for (int next = lines.read(); next >= 0; next = lines.read()) {
            if (next == '\n') {
                said(new String(line, 0, length, StandardCharsets.UTF_8));
                length = 0;
            } else if (length < line.length) {
                line[length++] = (byte) next;
            }
        }
    }

    private void said(String line) {
        if (line.startsWith(READY)) {
            ready = true;
            address = line.substring(READY.length());
            if (!first.complete(address)) {
                LOG.info("the {} is ready: {}", name, address);
            }
        } else {
            output.accept(line);
        }
    }

    /** Has the child finish what it has, for {@code patience} and some seconds, and ends it. */
    void close(Duration patience) {
        shut();
        if (ready) {
            Duration most = end() ? GRACE : patience.plus(GRACE);
            try {
                thread.join(most.toMillis());
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
        close();
    }

    /** True if it is to hurry. */
    private synchronized boolean end() {
        ordered = true;
        order();
        if (hurried) {
            order();
        }
        return hurried;
    }

    /** Has a {@link #close(Duration)} that is going on, or follows, end within seconds. */
    synchronized void hurry() {
        shut();
        hurried = true;
        Process running = process;
        if (ordered && running != null) {
            order();
            CompletableFuture.delayedExecutor(GRACE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(running::destroyForcibly);
        }
    }

    private void order() {
        Process running = process;
        if (running != null) {
            try {
                running.getOutputStream().write(END);
                running.getOutputStream().flush();
            } catch (IOException gone) {
                LOG.debug("the {} is gone", name, gone);
            }
        }
    }

    /** Ends the child at once. */
    @Override
    public void close() {
        shut();
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    private void shut() {
        closed = true;
        end.countDown();
    }
}
