package dev.understudy.relay.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;

/**
 * Takes lines from any thread and has a thread of its own write them, so that nobody waits for whoever should read
 * them.
 *
 * <p>Lines that find no room are dropped and counted, and a line in their place tells how many they were. Guarded by
 * {@code this}, which nobody holds while something is written.
 */
final class LogQueue extends OutputStream {
    /** Bytes of lines that wait; each is charged {@value #OVERHEAD} in addition. */
    static final int ROOM = 4 << 20;

    private static final int OVERHEAD = 64;
    private static final int LONGEST_LINE = 64 << 10;
    private static final byte DELETE = 0x7f;
    private static final byte C1_LEAD = (byte) 0xc2;
    private static final byte C1_END = (byte) 0xa0;

    private final PrintStream target;
    private final LongFunction<String> lostLines;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final byte[] begun = new byte[LONGEST_LINE];
    private int begunLength;
    private int charged;
    private long lost;
    private boolean writing;

    /**
     * Begins to write to {@code target}.
     *
     * @param lostLines the line, without its end, that tells of so many lost ones
     */
    LogQueue(PrintStream target, LongFunction<String> lostLines) {
        this.target = target;
        this.lostLines = lostLines;
        Thread writer = new Thread(this::write, "understudy-log");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public synchronized void write(int one) {
        add((byte) one);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            add(bytes[i]);
        }
    }

    /** Waits until everything is written, for {@code patience} at most. */
    synchronized void drain(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (long left = patience.toMillis(); left > 0 && (writing || lost > 0 || !lines.isEmpty()); ) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private void add(byte one) {
        byte before = begunLength == 0 ? 0 : begun[begunLength - 1];
        begun[begunLength++] = isControl(before, one) ? (byte) '?' : one;
        if (one == '\n' || begunLength == begun.length) {
            byte[] line = new byte[begunLength];
            System.arraycopy(begun, 0, line, 0, begunLength);
            begunLength = 0;
            offer(line);
        }
    }

    /** What commands a terminal: ASCII's control characters, and those of ISO 8859 as UTF-8 writes them. */
    private static boolean isControl(byte before, byte one) {
        if (one >= 0) {
            return (one < ' ' && one != '\n' && one != '\r' && one != '\t') || one == DELETE;
        }
        return before == C1_LEAD && one < C1_END;
    }

    private void offer(byte[] line) {
        if (lost > 0 || charged + line.length + OVERHEAD > ROOM) {
            lost++;
            return;
        }
        charged += line.length + OVERHEAD;
        lines.add(line);
        notifyAll();
    }

    private void write() {
        try {
            while (true) {
                target.write(next());
                target.flush();
            }
        } catch (InterruptedException | IOException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for a line. Once some were lost, no more are taken until those before them are written and that is told.
     */
    private synchronized byte[] next() throws InterruptedException {
        writing = false;
        notifyAll();
        while (lines.isEmpty() && lost == 0) {
            wait();
        }
        writing = true;
        byte[] line = lines.poll();
        if (line != null) {
            charged -= line.length + OVERHEAD;
            return line;
        }
        String told = lostLines.apply(lost) + "\n";
        lost = 0;
        return told.getBytes(StandardCharsets.UTF_8);
    }
}
