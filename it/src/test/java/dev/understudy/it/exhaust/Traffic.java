package dev.understudy.it.exhaust;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** Production's traffic over one port: the same requests again and again, whose answers are known byte for byte. */
final class Traffic {
    private static final int PER_CONNECTION = 50;
    private static final int PAUSE_MILLIS = 2;

    private final String protocol;
    private final int port;
    private final List<byte[]> requests;
    private final List<byte[]> answers;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /**
     * Learns the answers.
     *
     * @param server where they are asked for without anything between
     * @param port where they are asked for from then on
     */
    Traffic(String protocol, int server, int port, List<byte[]> requests) throws IOException {
        this.protocol = protocol;
        this.port = port;
        this.requests = requests;
        try (Talk direct = Talk.open(protocol, server)) {
            List<byte[]> learned = new ArrayList<>();
            for (byte[] request : requests) {
                direct.send(request);
                learned.add(direct.readAll());
            }
            answers = learned;
        }
    }

    /** Asks on so many connections at a time, which are made anew every now and then, until {@link #end}. */
    void begin(ExecutorService threads, int connections) {
        for (int n = 0; n < connections; n++) {
            threads.execute(() -> {
                while (!over) {
                    try (Talk talk = timed(() -> Talk.open(protocol, port))) {
                        ask(talk);
                    } catch (IOException | InterruptedException | RuntimeException failed) {
                        failures.add(protocol + ": " + failed);
                    }
                }
            });
        }
    }

    private void ask(Talk talk) throws IOException, InterruptedException {
        for (int n = 0; n < PER_CONNECTION && !over; n++) {
            byte[] request = requests.get(n % requests.size());
            byte[] expected = answers.get(n % requests.size());
            byte[] answer = timed(() -> {
                talk.send(request);
                return talk.read(expected.length);
            });
            if (!Arrays.equals(answer, expected)) {
                failures.add(protocol + ": " + answer.length + " bytes that are not the server's " + expected.length);
                return;
            }
            answered.incrementAndGet();
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private <T> T timed(Step<T> step) throws IOException {
        long began = System.nanoTime();
        try {
            return step.take();
        } finally {
            longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
        }
    }

    void end() {
        over = true;
    }

    /** What went wrong. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** How many answers were right. */
    long answered() {
        return answered.get();
    }

    /** How long the slowest answer, or login, took. */
    double longestSeconds() {
        return longestNanos.get() / 1e9;
    }

    @FunctionalInterface
    private interface Step<T> {
        T take() throws IOException;
    }
}
