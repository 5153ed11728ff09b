package dev.understudy.agent.orders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Follows what the operator wants of this JVM: whenever the sidecar tells of another revision, or is met anew, it
 * fetches the sheet and lets each kind of order bring the JVM there.
 *
 * <p>{@link #run} is the one thread that does it, and returns only when it is interrupted. {@link #told} and
 * {@link #connected} are for the thread that listens to the window, and never wait; the rest is for any thread.
 */
public final class OrderFollower implements Runnable {
    private static final long RETRY_MILLIS = 1000;
    private static final int MOST_PROBLEMS = 20;
    private static final int LONGEST_PROBLEM = 500;

    /** Where the sheet is. */
    public interface Sidecar {
        /**
         * What is at {@code path}.
         *
         * @param most the largest number of bytes that is taken
         * @throws IOException if it can't be had, or is larger
         */
        byte[] get(String path, int most) throws IOException, InterruptedException;
    }

    private final Sidecar sidecar;
    private final List<Order> kinds;
    private final Runnable brought;
    private final Semaphore due = new Semaphore(0);
    private boolean anew = true; // confined to the thread that listens, as is the next
    private long seen = -1;
    private final Map<String, Map<String, Object>> settled = new HashMap<>(); // confined to run, as are the next two
    private final Set<String> touched = new HashSet<>();
    private final Map<String, List<String>> problems = new LinkedHashMap<>();
    private volatile Done done = new Done(-1, List.of());

    /**
     * Follows orders of the given kinds; others are problems.
     *
     * @param brought is run when something of what {@link #done} says is new
     */
    public OrderFollower(Sidecar sidecar, List<Order> kinds, Runnable brought) {
        this.sidecar = sidecar;
        this.kinds = List.copyOf(kinds);
        this.brought = brought;
    }

    /** The sidecar was met, maybe another one than before. */
    public void connected() {
        anew = true;
    }

    /** The sidecar's orders have this revision; -1 if it knows of none. */
    public void told(long revision) {
        if (revision >= 0 && (anew || revision != seen)) {
            anew = false;
            seen = revision;
            due.release();
        }
    }

    @Override
    public void run() {
        try {
            while (true) {
                due.acquire();
                due.drainPermits();
                while (!follow()) {
                    due.tryAcquire(RETRY_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** What has been done. */
    public Done done() {
        return done;
    }

    /** How the JVM stands, by kind. */
    public Map<String, String> standing() {
        Map<String, String> standing = new LinkedHashMap<>();
        kinds.forEach(kind -> standing.put(kind.kind(), kind.standing()));
        return standing;
    }

    /** False if it should be tried again. */
    private boolean follow() throws InterruptedException {
        boolean whole = true;
        try {
            OrderSheet sheet = OrderSheet.parse(sidecar.get("/v1/orders", OrderSheet.LARGEST));
            Map<String, Map<String, Object>> wanted = new LinkedHashMap<>(sheet.kinds());
            problems.keySet().removeIf(kind -> !wanted.containsKey(kind));
            for (Order kind : kinds) {
                Map<String, Object> one = wanted.remove(kind.kind());
                whole &= bring(kind, one == null ? Map.of() : one);
            }
            wanted.keySet().forEach(unknown -> problems.put(unknown, List.of("this agent knows no such order")));
            done = new Done(sheet.revision(), spelled());
        } catch (IOException | RuntimeException unreadable) {
            whole = false;
            done = new Done(done.revision(), List.of(shortened("not fetched: " + unreadable.getMessage())));
        }
        brought.run();
        return whole;
    }

    /** What is as it was isn't touched again, unless something went wrong. */
    private boolean bring(Order kind, Map<String, Object> wanted) throws InterruptedException {
        String name = kind.kind();
        if (wanted.equals(settled.get(name)) || (wanted.isEmpty() && !touched.contains(name))) {
            return true;
        }
        touched.add(name);
        boolean whole = true;
        List<String> wrong;
        try {
            wrong = kind.bring(wanted);
        } catch (IOException unreachable) {
            whole = false;
            wrong = List.of(String.valueOf(unreachable.getMessage()));
        } catch (RuntimeException | LinkageError defect) {
            wrong = List.of(defect.toString());
        }
        if (wrong.isEmpty()) {
            problems.remove(name);
            settled.put(name, wanted);
        } else {
            problems.put(name, wrong);
            settled.remove(name);
        }
        return whole;
    }

    private List<String> spelled() {
        List<String> spelled = new ArrayList<>();
        problems.forEach((kind, all) -> all.forEach(problem -> spelled.add(shortened(kind + ": " + problem))));
        return List.copyOf(spelled.subList(0, Math.min(spelled.size(), MOST_PROBLEMS)));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_PROBLEM ? text : text.substring(0, LONGEST_PROBLEM) + "…";
    }

    /** What was done, and what wasn't. Immutable. */
    public static final class Done {
        private final long revision;
        private final List<String> problems;

        Done(long revision, List<String> problems) {
            this.revision = revision;
            this.problems = problems;
        }

        /** Of the sheet that was followed last; -1 if none was. */
        public long revision() {
            return revision;
        }

        /** What went wrong, a line each. */
        public List<String> problems() {
            return problems;
        }
    }
}
