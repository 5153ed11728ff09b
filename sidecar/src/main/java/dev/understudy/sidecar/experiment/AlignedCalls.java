package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.ExecutionTree.CallThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of two executions stand for each other, and where only one of them goes on. It needs no stack, however
 * deep calls are.
 */
final class AlignedCalls {
    private final ExecutionTree failing;
    private final ExecutionTree passing;
    private final List<CallPair> pairs = new ArrayList<>();
    private final List<Fork> forks = new ArrayList<>();

    private AlignedCalls(ExecutionTree failing, ExecutionTree passing) {
        this.failing = failing;
        this.passing = passing;
    }

    static AlignedCalls of(ExecutionTree failing, ExecutionTree passing) {
        AlignedCalls all = new AlignedCalls(failing, passing);
        int threads = Math.max(failing.threads().size(), passing.threads().size());
        for (int thread = 0; thread < threads; thread++) {
            CallThread left = failing.thread(thread);
            CallThread right = passing.thread(thread);
            int next = all.pairs.size();
            all.align(thread, null, new Calls(left.roots(), left.end()), new Calls(right.roots(), right.end()));
            for (; next < all.pairs.size(); next++) {
                CallPair pair = all.pairs.get(next);
                all.align(
                        thread,
                        pair,
                        new Calls(pair.failing.children(), pair.failing.end()),
                        new Calls(pair.passing.children(), pair.passing.end()));
            }
        }
        return all;
    }

    /** Each pair comes after that of its callers. */
    List<CallPair> pairs() {
        return Collections.unmodifiableList(pairs);
    }

    /** At most one for each pair, the first. */
    List<Fork> forks() {
        return Collections.unmodifiableList(forks);
    }

    private void align(int thread, @Nullable CallPair callers, Calls left, Calls right) {
        if (left.made.isEmpty() && right.made.isEmpty()) {
            return;
        }
        int[] partners = CallAlignment.align(left.made, right.made);
        boolean forked = false;
        int l = 0;
        int r = 0;
        while (l < left.made.size() || r < right.made.size()) {
            int leftEnd = l;
            while (leftEnd < partners.length && partners[leftEnd] < 0) {
                leftEnd++;
            }
            int rightEnd = leftEnd < partners.length ? partners[leftEnd] : right.made.size();
            if (!forked && isCertain(thread, left, l, leftEnd, right, r, rightEnd)) {
                ExecutionCall extra = l < leftEnd ? left.made.get(l) : right.made.get(r);
                String blamed = callers == null ? extra.method() : callers.failing.method();
                forks.add(new Fork(thread, callers, blamed, left.at(l), right.at(r), left.indexOf(l)));
                forked = true;
            }
            if (leftEnd < partners.length) {
                pairs.add(new CallPair(thread, callers, left.made.get(leftEnd), right.made.get(rightEnd)));
            }
            l = leftEnd + 1;
            r = rightEnd + 1;
        }
    }

    /** Whether one side has a call here that the other hasn't, and not only since it wasn't recorded. */
    private boolean isCertain(int thread, Calls left, int l, int leftEnd, Calls right, int r, int rightEnd) {
        boolean isExtra = l < leftEnd && !passing.mayLack(left.made.get(l).method(), thread, right.indexOf(r));
        boolean isMissing = r < rightEnd && !failing.mayLack(right.made.get(r).method(), thread, left.indexOf(l));
        return isExtra || isMissing;
    }

    /**
     * What one side called.
     *
     * @param end the index of the event after all of it
     */
    private record Calls(List<ExecutionCall> made, int end) {
        @Nullable
        ExecutionCall at(int number) {
            return number < made.size() ? made.get(number) : null;
        }

        int indexOf(int number) {
            return number < made.size() ? made.get(number).beginning() : end;
        }
    }

    /**
     * A place from which both sides go different ways.
     *
     * @param callers null for what no recorded call made
     * @param blamed the method that called something else; of what no recorded call made the one that one side called
     * @param failing what is called next; null for nothing more
     * @param passing the same of the other side
     * @param order the index of the event in the failing execution at which that is visible
     */
    record Fork(
            int thread,
            @Nullable CallPair callers,
            String blamed,
            @Nullable ExecutionCall failing,
            @Nullable ExecutionCall passing,
            int order) {}

    /** Two calls of one method that stand for each other. */
    static final class CallPair {
        final int thread;
        /** Null for what no recorded call made. */
        final @Nullable CallPair callers;

        final ExecutionCall failing;
        final ExecutionCall passing;

        private CallPair(int thread, @Nullable CallPair callers, ExecutionCall failing, ExecutionCall passing) {
            this.thread = thread;
            this.callers = callers;
            this.failing = failing;
            this.passing = passing;
        }

        boolean hasEqualInputs() {
            return failing.hasInputsOf(passing);
        }

        boolean hasOutcomesOf(CallPair other) {
            return failing.outcome().equals(other.failing.outcome())
                    && passing.outcome().equals(other.passing.outcome());
        }

        String caller() {
            return callers == null ? "" : callers.failing.method();
        }
    }
}
