package dev.understudy.agent.fork;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** How long tests wait for what must come: longer than a machine takes that is busy with something else. */
final class Patience {
    static final Duration LONG = Duration.ofMinutes(5);

    private Patience() {}

    /** What {@code next} gives as soon as that is wanted. It is called again and again; an error after five minutes. */
    static <T> T until(Predicate<? super T> wanted, Callable<T> next) throws Exception {
        long begun = System.nanoTime();
        T last = next.call();
        while (!wanted.test(last)) {
            if (System.nanoTime() - begun > LONG.toNanos()) {
                throw new AssertionError("not within " + LONG + ", but at last: " + last);
            }
            last = next.call();
        }
        return last;
    }
}
