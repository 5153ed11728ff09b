package dev.understudy.sidecar.experiment;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which calls of one caller stand for which of another: the longest common subsequence of the methods called.
 *
 * <p>It is the same, turned round, when both sides are exchanged. Where both sides are long it is an approximation.
 */
final class CallAlignment {
    /** Of the table, 2 bytes each. */
    private static final int MOST_CELLS = 4_000_000;

    private static final int NONE = -1;

    private final List<ExecutionCall> left;
    private final List<ExecutionCall> right;
    private final int[] leftMethods;
    private final int[] rightMethods;
    /** For each call on the left that on the right. */
    private final int[] partners;

    private CallAlignment(List<ExecutionCall> left, List<ExecutionCall> right) {
        this.left = left;
        this.right = right;
        Map<String, Integer> numbers = new HashMap<>();
        this.leftMethods = numbered(left, numbers);
        this.rightMethods = numbered(right, numbers);
        this.partners = new int[left.size()];
        Arrays.fill(partners, NONE);
    }

    private static int[] numbered(List<ExecutionCall> calls, Map<String, Integer> numbers) {
        int[] methods = new int[calls.size()];
        for (int i = 0; i < methods.length; i++) {
            methods[i] = numbers.computeIfAbsent(calls.get(i).method(), first -> numbers.size());
        }
        return methods;
    }

    /** For each call on the left the index of that on the right; below 0 if there is none. */
    static int[] align(List<ExecutionCall> left, List<ExecutionCall> right) {
        CallAlignment alignment = new CallAlignment(left, right);
        int from = 0;
        int leftEnd = left.size();
        int rightEnd = right.size();
        while (from < leftEnd && from < rightEnd && alignment.isSame(from, from)) {
            alignment.partners[from] = from;
            from++;
        }
        while (leftEnd > from && rightEnd > from && alignment.isSame(leftEnd - 1, rightEnd - 1)) {
            alignment.partners[--leftEnd] = --rightEnd;
        }
        if ((long) (leftEnd - from + 1) * (rightEnd - from + 1) <= MOST_CELLS) {
            alignment.longest(from, leftEnd, rightEnd);
        } else {
            alignment.nearest(from, leftEnd, rightEnd);
        }
        return alignment.partners;
    }

    private boolean isSame(int l, int r) {
        return leftMethods[l] == rightMethods[r];
    }

    private void longest(int from, int leftEnd, int rightEnd) {
        int width = rightEnd - from + 1;
        char[] lengths = new char[(leftEnd - from + 1) * width];
        for (int l = leftEnd - 1; l >= from; l--) {
            for (int r = rightEnd - 1; r >= from; r--) {
                int cell = (l - from) * width + r - from;
                lengths[cell] = isSame(l, r)
                        ? (char) (lengths[cell + width + 1] + 1)
                        : (char) Math.max(lengths[cell + width], lengths[cell + 1]);
            }
        }
        int l = from;
        int r = from;
        while (l < leftEnd && r < rightEnd) {
            int cell = (l - from) * width + r - from;
            if (isSame(l, r)) {
                partners[l++] = r++;
            } else if (isLeftSkipped(lengths[cell + width] - lengths[cell + 1], l, r)) {
                l++;
            } else {
                r++;
            }
        }
    }

    /** Of two ways that are equally good the names decide, so that it doesn't matter which side is which. */
    private boolean isLeftSkipped(int gain, int l, int r) {
        return gain > 0
                || (gain == 0 && left.get(l).method().compareTo(right.get(r).method()) < 0);
    }

    /** Where both sides differ it goes on with whichever call comes again soonest on the other side. */
    private void nearest(int from, int leftEnd, int rightEnd) {
        Map<Integer, Deque<Integer>> leftPlaces = places(leftMethods, from, leftEnd);
        Map<Integer, Deque<Integer>> rightPlaces = places(rightMethods, from, rightEnd);
        int l = from;
        int r = from;
        while (l < leftEnd && r < rightEnd) {
            if (isSame(l, r)) {
                partners[l++] = r++;
                continue;
            }
            int leftAgain = next(leftPlaces, rightMethods[r], l);
            int rightAgain = next(rightPlaces, leftMethods[l], r);
            if (leftAgain == NONE && rightAgain == NONE) {
                l++;
                r++;
            } else if (rightAgain == NONE) {
                l = leftAgain;
            } else if (leftAgain == NONE) {
                r = rightAgain;
            } else if (isLeftSkipped((rightAgain - r) - (leftAgain - l), l, r)) {
                l = leftAgain;
            } else {
                r = rightAgain;
            }
        }
    }

    private static Map<Integer, Deque<Integer>> places(int[] methods, int from, int end) {
        Map<Integer, Deque<Integer>> places = new HashMap<>();
        for (int i = from; i < end; i++) {
            places.computeIfAbsent(methods[i], first -> new ArrayDeque<>()).add(i);
        }
        return places;
    }

    /** Where the method is called from that index on; what comes before it isn't needed any longer. */
    private static int next(Map<Integer, Deque<Integer>> places, int method, int from) {
        Deque<Integer> of = places.get(method);
        while (of != null && !of.isEmpty() && of.getFirst() < from) {
            of.removeFirst();
        }
        return of == null || of.isEmpty() ? NONE : of.getFirst();
    }
}
