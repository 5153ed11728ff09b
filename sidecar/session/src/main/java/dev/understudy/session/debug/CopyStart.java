package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.survey.ListeningSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits until a copy that was started listens where production does. */
final class CopyStart {
    private static final long POLL_MILLIS = 100;

    private CopyStart() {}

    /**
     * Waits for it, with progress.
     *
     * @param output what the copy printed last
     * @param stopped ends the wait when it is counted down
     * @return false if it was stopped
     * @throws CloneException if the copy ends before, or doesn't listen in time
     */
    static boolean await(
            DebugCopy copy,
            Collection<ListeningPort> ports,
            Duration limit,
            OutputSource output,
            SessionProgress progress,
            CountDownLatch stopped)
            throws CloneException, InterruptedException {
        Set<Integer> expected =
                ports.stream().map(port -> port.address().getPort()).collect(Collectors.toSet());
        long began = System.nanoTime();
        while (!stopped.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            Set<Integer> open = ports(copy);
            if (!copy.isAlive()) {
                throw new CloneException("the copy ended at its start" + last(output));
            }
            if (open.containsAll(expected)) {
                return true;
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
            if (elapsed.compareTo(limit) > 0) {
                throw new CloneException("the copy listens on " + words(open) + " after " + limit.toSeconds()
                        + " s (expected: " + words(expected) + "); give it more time by --start-limit, or give the"
                        + " service fixed ports" + last(output));
            }
            progress.live("the copy starts: " + elapsed.toSeconds() + " s, it listens on " + words(open));
        }
        return false;
    }

    private static Set<Integer> ports(DebugCopy copy) {
        try {
            return ListeningSockets.of(copy.pid()).stream()
                    .map(InetSocketAddress::getPort)
                    .collect(Collectors.toSet());
        } catch (IOException ended) {
            return Set.of();
        }
    }

    private static String words(Collection<Integer> ports) {
        return ports.isEmpty()
                ? "no port"
                : "port " + ports.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** In a form that a terminal shows. */
    static String last(OutputSource output) {
        List<String> lines = output.lines();
        return lines.isEmpty()
                ? "; it printed nothing"
                : "; it printed last:\n"
                        + lines.stream().map(line -> "  " + line).collect(Collectors.joining("\n"));
    }

    /** Where the last lines of a program's output are read. */
    @FunctionalInterface
    interface OutputSource {
        List<String> lines();
    }
}
