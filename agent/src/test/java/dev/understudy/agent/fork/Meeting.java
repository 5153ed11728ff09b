package dev.understudy.agent.fork;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where four requests wait for each other, so that they are served at the same time, before each calls what only its
 * way calls.
 */
final class Meeting {
    static final List<String> WAYS = List.of("north", "east", "south", "west");
    private static final CyclicBarrier ALL = new CyclicBarrier(WAYS.size());

    private Meeting() {}

    static String of(String way) {
        try {
            ALL.await(2, TimeUnit.MINUTES);
            synchronized (new Object()) { // a virtual thread's carrier is kept, or its monitor moves with it
                ALL.await(2, TimeUnit.MINUTES);
            }
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            throw new IllegalStateException(alone);
        }
        return switch (way) {
            case "north" -> north(way);
            case "east" -> east(way);
            case "south" -> south(way);
            default -> west(way);
        };
    }

    static String north(String way) {
        return "by " + way;
    }

    static String east(String way) {
        return "by " + way;
    }

    static String south(String way) {
        return "by " + way;
    }

    static String west(String way) {
        return "by " + way;
    }
}
