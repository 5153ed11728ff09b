package dev.understudy.sidecar.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A recorded execution: for each thread the calls that were made. Not changed once it is read. */
final class ExecutionTree {
    private final String agent;
    private final String trace;
    private final long left;
    private final List<CallThread> threads;
    private final Map<String, Integer> counts = new HashMap<>();
    private int most;

    /** @param left calls that weren't recorded */
    ExecutionTree(String agent, String trace, long left, List<CallThread> threads) {
        this.agent = agent;
        this.trace = trace;
        this.left = left;
        this.threads = List.copyOf(threads);
        for (CallThread thread : threads) {
            for (ExecutionCall call : thread.calls()) {
                most = Math.max(most, counts.merge(call.method(), 1, Integer::sum));
            }
        }
    }

    /**
     * What one thread did.
     *
     * @param calls all of them, in the order in which they began
     * @param roots those that no recorded call made
     * @param end the index after its last event
     */
    record CallThread(String name, List<ExecutionCall> calls, List<ExecutionCall> roots, int end) {
        CallThread {
            calls = List.copyOf(calls);
            roots = List.copyOf(roots);
        }
    }

    /** The agent that recorded it. */
    String agent() {
        return agent;
    }

    String trace() {
        return trace;
    }

    /** How many calls weren't recorded. */
    long left() {
        return left;
    }

    /** How many calls were recorded. */
    int calls() {
        return threads.stream().mapToInt(thread -> thread.calls().size()).sum();
    }

    List<CallThread> threads() {
        return threads;
    }

    /** What the thread of that number did; nothing if there are fewer. */
    CallThread thread(int number) {
        if (number < threads.size()) {
            return threads.get(number);
        }
        int end = threads.isEmpty() ? 0 : threads.get(threads.size() - 1).end();
        return new CallThread("", List.of(), List.of(), end);
    }

    /**
     * Whether a call of the method may have been made at that place without being recorded. A recording ends once it is
     * large, and so does that of a method with many calls.
     *
     * @param index of the event before which it would have been made
     */
    boolean mayLack(String method, int thread, int index) {
        if (left == 0) {
            return false;
        }
        List<ExecutionCall> calls = thread(thread).calls();
        return calls.isEmpty()
                || index > calls.get(calls.size() - 1).beginning()
                || counts.getOrDefault(method, 0) == most;
    }
}
