package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * How long a process's threads waited for a processor, and how often they got one: {@code /proc/PID/task/TID/schedstat}
 * (Linux's {@code Documentation/scheduler/sched-stats.rst}).
 *
 * <p>The kernel has this by thread only. Of a process with more than {@link #MOST} threads those are followed that ran
 * lately: each second some of the others are looked at, and one that ran takes the place of one that ran least. A wait
 * is counted when it ends. One thread.
 */
final class ThreadWaits implements AutoCloseable {
    /** How many threads are followed, with an open file each. */
    static final int MOST = 32;

    private static final int LOOKS = 32;

    /** Seconds between two readings, less what a sample may be early by. */
    private static final double EVERY = 0.095;

    private static final int MOST_KNOWN = 4096;

    private final Path tasks;
    private final KernelText text;
    private final List<ThreadRecord> followed = new ArrayList<>();
    private final Map<String, Long> others = new HashMap<>();
    private int rotation;
    private double sinceRead;

    ThreadWaits(Path tasks, KernelText text) {
        this.tasks = tasks;
        this.text = text;
    }

    /** One thread with what it had at the sample before, in nanoseconds; it is over where its file can't be read. */
    private static final class ThreadRecord {
        final String id;
        final KernelFile file;
        long ran;
        long waited;
        long runs;
        long ranSinceLook;
        boolean isOver;

        ThreadRecord(String id, KernelFile file) {
            this.id = id;
            this.file = file;
        }

        /** What the line says of now is what was before. */
        boolean read(KernelText text) {
            try {
                file.read(text);
            } catch (IOException gone) {
                isOver = true;
                return false;
            }
            return text.nextLine();
        }
    }

    /** Looks what threads there are; for once a second. */
    void look() {
        String[] ids = tasks.toFile().list();
        if (ids == null) {
            return;
        }
        Iterator<ThreadRecord> each = followed.iterator();
        while (each.hasNext()) {
            ThreadRecord thread = each.next();
            if (thread.isOver) {
                thread.file.close();
                each.remove();
            }
        }
        List<String> unknown = new ArrayList<>(Arrays.asList(ids));
        followed.forEach(thread -> unknown.remove(thread.id));
        if (followed.size() + unknown.size() <= MOST) {
            unknown.forEach(this::follow);
            others.clear();
        } else {
            replaceIdle(unknown);
        }
        followed.forEach(thread -> thread.ranSinceLook = 0);
    }

    private void follow(String id) {
        try {
            ThreadRecord thread =
                    new ThreadRecord(id, KernelFile.open(tasks.resolve(id).resolve("schedstat")));
            if (thread.read(text)) {
                thread.ran = text.number();
                thread.waited = text.number();
                thread.runs = text.number();
                followed.add(thread);
            } else {
                thread.file.close();
            }
        } catch (IOException | UnsupportedOperationException gone) {
            others.remove(id);
        }
    }

    private void replaceIdle(List<String> unknown) {
        while (followed.size() < MOST && !unknown.isEmpty()) {
            follow(unknown.remove(0));
        }
        if (others.size() > MOST_KNOWN) {
            others.clear();
        }
        followed.sort(Comparator.comparingLong(thread -> thread.ranSinceLook));
        int replaced = 0;
        for (int i = 0; i < Math.min(LOOKS, unknown.size()); i++) {
            String id = unknown.get(rotation++ % unknown.size());
            long ran = ranSoFar(id);
            Long before = ran < 0 ? others.remove(id) : others.put(id, ran);
            if (before != null && replaced < followed.size() && ran - before > followed.get(replaced).ranSinceLook) {
                followed.get(replaced).isOver = true;
                replaced++;
                others.remove(id);
                follow(id);
            }
        }
        rotation = rotation % Math.max(1, unknown.size());
    }

    private long ranSoFar(String id) {
        try (KernelFile file = KernelFile.open(tasks.resolve(id).resolve("schedstat"))) {
            file.read(text);
            return text.nextLine() ? text.number() : KernelText.NONE;
        } catch (IOException | UnsupportedOperationException gone) {
            return KernelText.NONE;
        }
    }

    /**
     * Reads the threads' files, every 100 ms at most: they are many.
     *
     * @param row gets at {@code at} how many threads waited on average, and behind it runs a second
     */
    void sample(double interval, double[] row, int at) {
        row[at] = Double.NaN;
        row[at + 1] = Double.NaN;
        sinceRead += interval;
        if (sinceRead >= EVERY) {
            read(sinceRead, row, at);
            sinceRead = 0;
        }
    }

    private void read(double seconds, double[] row, int at) {
        long waits = 0;
        long runCount = 0;
        boolean isKnown = false;
        for (int i = 0; i < followed.size(); i++) {
            ThreadRecord thread = followed.get(i);
            if (thread.isOver || !thread.read(text)) {
                continue;
            }
            long ran = text.number();
            long waited = text.number();
            long runs = text.number();
            if (thread.ran >= 0 && ran >= thread.ran && waited >= thread.waited && runs >= thread.runs) {
                thread.ranSinceLook += ran - thread.ran;
                waits += waited - thread.waited;
                runCount += runs - thread.runs;
                // a kernel that doesn't count has zeros
                isKnown |= ran > 0;
            }
            thread.ran = ran;
            thread.waited = waited;
            thread.runs = runs;
        }
        if (isKnown) {
            row[at] = waits / 1e9 / seconds;
            row[at + 1] = runCount / seconds;
        }
    }

    /** How many threads are followed. */
    int size() {
        return followed.size();
    }

    @Override
    public void close() {
        followed.forEach(thread -> thread.file.close());
        followed.clear();
    }
}
