package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that listed names have: all that were found since the start, looked up anew when a connection would be
 * refused, every ten seconds at most.
 *
 * <p>Nothing is looked up before the application connects for the first time, since the JDK then reads properties that
 * the application may set in its first lines. All look-ups are made by one thread; any thread may ask.
 */
final class ListedNames implements Runnable {
    /** Of a name. */
    static final int MOST_ADDRESSES = 256;

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Asks for a name's addresses. */
    interface Lookup {
        InetAddress[] all(String name) throws UnknownHostException;
    }

    private final Set<String> names = new TreeSet<>();
    private final Lookup lookup;
    private final Runnable first;
    private final Runnable each;
    private final WaitClock waiting;
    private volatile Map<String, Set<InetAddress>> known = Map.of();
    private volatile @Nullable Thread thread;
    private volatile boolean running;
    /** Guarded by this, as is the next. */
    private boolean asked;

    private long askedAt;

    /**
     * Those of these rules.
     *
     * @param first is run once, by the thread that looks up, when the first connection needs a decision
     * @param each is run by that thread whenever it is woken and has nothing to look up
     */
    ListedNames(List<EgressRule> rules, Lookup lookup, Runnable first, Runnable each, WaitClock waiting) {
        rules.stream().map(EgressRule::name).filter(name -> !name.isEmpty()).forEach(names::add);
        this.lookup = lookup;
        this.first = first;
        this.each = each;
        this.waiting = waiting;
    }

    /** What is known of a name now. */
    Set<InetAddress> of(String name) {
        return known.getOrDefault(name, Set.of());
    }

    /**
     * Has names looked up unless that was done lately, and waits until all were, until {@code enough} is true, or for
     * two seconds.
     */
    void refresh(BooleanSupplier enough) {
        long began = begin();
        waiting.until(() -> !running || enough.getAsBoolean(), began + WAIT_NANOS);
    }

    private synchronized long begin() {
        long now = waiting.nanoTime();
        if (!running && (!asked || (now - askedAt >= AGAIN_NANOS && !names.isEmpty()))) {
            asked = true;
            askedAt = now;
            running = true;
            LockSupport.unpark(thread);
        }
        return askedAt;
    }

    /** Has the thread do what it does each time; returns at once. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Whether look-ups were asked for that aren't all made. */
    boolean isRunning() {
        return running;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        boolean begun = false;
        while (!Thread.currentThread().isInterrupted()) {
            if (!running) {
                attempt(each);
                LockSupport.park(this);
                continue;
            }
            try {
                if (!begun) {
                    begun = true;
                    attempt(first);
                }
                names.forEach(name -> attempt(() -> lookUp(name)));
            } finally {
                running = false;
            }
        }
    }

    /** Whatever is thrown, such as for want of memory, the next is done. */
    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    private void lookUp(String name) {
        try {
            Set<InetAddress> addresses = new LinkedHashSet<>(List.of(lookup.all(name)));
            for (InetAddress before : of(name)) {
                if (addresses.size() < MOST_ADDRESSES) {
                    addresses.add(before);
                }
            }
            Map<String, Set<InetAddress>> more = new HashMap<>(known);
            more.put(name, addresses);
            known = more;
        } catch (UnknownHostException | RuntimeException unknown) {
            // it keeps the addresses that it had
        }
    }
}
