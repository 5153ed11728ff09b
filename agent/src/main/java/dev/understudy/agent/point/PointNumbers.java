package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Points;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives out the numbers of places, none of them twice: code that was taken back may still run. For any threads. */
final class PointNumbers {
    private final AtomicInteger next = new AtomicInteger(1);

    /** The next one; 0 if there is none left. */
    int next() {
        int number = next.getAndIncrement();
        return number < Points.CAPACITY ? number : 0;
    }
}
