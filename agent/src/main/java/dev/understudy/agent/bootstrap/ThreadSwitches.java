package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * When threads went from one exchange to another, for those who hear later what a thread did at some moment.
 *
 * <p>Nothing is kept before somebody wants it. The threads that serve put theirs there without waiting, some 50 bytes
 * each; while there are {@value #CAPACITY} that nobody has taken, further ones are lost, which is told. Safe for any
 * threads.
 */
public final class ThreadSwitches {
    /** How many are kept until they are taken. */
    public static final int CAPACITY = 1 << 16;

    private static final AtomicReference<@Nullable ThreadSwitch> LATEST = new AtomicReference<>();
    private static volatile boolean kept;
    private static volatile boolean lost;

    private ThreadSwitches() {}

    /** From now on they are kept, or no longer. */
    public static void keep(boolean wanted) {
        kept = wanted;
    }

    static boolean areKept() {
        return kept;
    }

    /** The running thread goes from one to the other; null for none. */
    static void between(@Nullable ServedExchange from, @Nullable ServedExchange to) {
        if (!kept) {
            return;
        }
        ThreadSwitch shift =
                new ThreadSwitch(Threads.id(Thread.currentThread()), System.nanoTime(), key(from), key(to));
        ThreadSwitch before;
        do {
            before = LATEST.get();
            int count = before == null ? 1 : before.count + 1;
            if (count > CAPACITY) {
                lost = true;
                return;
            }
            shift.before = before;
            shift.count = count;
        } while (!LATEST.compareAndSet(before, shift));
    }

    private static @Nullable ExchangeKey key(@Nullable ServedExchange exchange) {
        return exchange == null || Handover.isNobodys(exchange) ? null : exchange.key;
    }

    /** Takes all that are there: the latest, which leads to those before; null if there are none. */
    public static @Nullable ThreadSwitch take() {
        return LATEST.getAndSet(null);
    }

    /** Whether any were lost since this was asked last. */
    public static boolean tellLost() {
        boolean told = lost;
        if (told) {
            lost = false;
        }
        return told;
    }
}
