package dev.understudy.agent.branch;

import dev.understudy.agent.bootstrap.Branches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the numbers of branches, values and places where locks are taken, and knows what they stand for.
 *
 * <p>A number is never given out again: a method that is woven anew keeps its numbers, as long as its code is the same.
 * Values get at most half of them, locks an eighth. Writers are guarded by this object; {@link #site} and
 * {@link #numbers()} are for any thread.
 */
public final class BranchDirectory {
    private static final int MOST_KEYS = 1 << 16;
    /** Ends the keys of values. */
    private static final String VALUES = "=";

    private static final int MOST_VALUES = Branches.CAPACITY / 2;
    /** Ends the keys of places where locks are taken, before which of the method's it is. */
    private static final String LOCKS = "@";

    private static final int MOST_LOCKS = Branches.CAPACITY / 8;

    private final WeakHashMap<ClassLoader, Map<String, Known>> methods = new WeakHashMap<>();
    private final AtomicReferenceArray<@Nullable JumpSite> sites = new AtomicReferenceArray<>(Branches.CAPACITY);
    private volatile int next = 1;
    private int values;
    private int locks;
    private int keys;

    /** The smallest number that stands for nothing yet; they are 1 up to this. */
    public int numbers() {
        return next;
    }

    /**
     * What a number stands for.
     *
     * @throws IllegalArgumentException if it stands for nothing
     */
    public JumpSite site(int number) {
        JumpSite site = sites.get(number);
        if (site == null) {
            throw new IllegalArgumentException("number: " + number + " (expected: 1 to " + (next - 1) + ")");
        }
        return site;
    }

    /**
     * The numbers of a method's jumps, 0 for those that aren't told of.
     *
     * @param method its name and descriptor
     * @param label its name, as people know it
     */
    synchronized int[] numbers(
            ClassLoader loader,
            String className,
            String method,
            String label,
            SourceLines lines,
            MethodBranches found) {
        return numbers(loader, className + '.' + method, shape(found), () -> anew(className, label, lines, found));
    }

    /** The numbers of the looks at a method's values in the order of its code, 0 for those that aren't told of. */
    synchronized int[] numbers(
            ClassLoader loader, String className, String method, String label, SourceLines lines, MethodValues found) {
        List<Look> looks = found.all();
        List<Integer> shape = looks.stream().map(Look::shape).collect(Collectors.toList());
        return numbers(loader, className + '.' + method + VALUES, shape, () -> anew(className, label, lines, looks));
    }

    /**
     * The number of a place where a method takes a lock, 0 if it isn't told of.
     *
     * @param index which of the method's it is, from 0
     * @param lock what it is called there
     */
    public synchronized int number(
            ClassLoader loader, String className, String method, String label, int index, int line, String lock) {
        String key = className + '.' + method + LOCKS + index;
        List<Integer> shape = List.of(line, lock.hashCode());
        return numbers(loader, key, shape, () -> anew(new LockPlace(className, label, line, lock)))[0];
    }

    private int[] anew(LockPlace place) {
        int number = next;
        if (number >= Branches.CAPACITY || locks >= MOST_LOCKS) {
            return new int[] {0};
        }
        locks++;
        sites.set(number, place);
        next = number + 1;
        return new int[] {number};
    }

    private int[] numbers(ClassLoader loader, String key, List<Integer> shape, Supplier<int[]> anew) {
        Map<String, Known> ofLoader = methods.computeIfAbsent(loader, any -> new HashMap<>());
        Known known = ofLoader.get(key);
        if (known == null || !known.shape.equals(shape)) {
            known = new Known(shape, anew.get());
            ofLoader.put(key, known);
        }
        return known.numbers;
    }

    private int[] anew(String className, String label, SourceLines lines, List<Look> looks) {
        int[] numbers = new int[looks.size()];
        int first = next;
        int most = Math.min(Branches.CAPACITY - first, MOST_VALUES - values);
        int count = Math.min(numbers.length, most);
        for (int i = 0; i < count; i++) {
            numbers[i] = first + i;
            sites.set(first + i, looks.get(i).value(className, label, lines));
        }
        values += count;
        next = first + count;
        return numbers;
    }

    private int[] anew(String className, String label, SourceLines lines, MethodBranches found) {
        int[] numbers = new int[found.jumps().size()];
        for (int i = 0; i < numbers.length; i++) {
            MethodBranches.Jump jump = found.jumps().get(i);
            int[] ways = jump.ways();
            if (ways.length == 0 || next + ways.length > Branches.CAPACITY || keys + jump.keys.length > MOST_KEYS) {
                continue;
            }
            int first = next;
            numbers[i] = first;
            for (int way = 0; way < ways.length; way++) {
                int conditions = found.conditions(jump.line);
                sites.set(
                        first + way,
                        new BranchSite(
                                className,
                                label,
                                lines.line(jump.line),
                                lines.target(ways[way]),
                                jump.condition,
                                conditions,
                                found.decided(i)));
            }
            next = first + ways.length;
            if (jump.condition == 0) {
                keys += jump.keys.length;
                tell(jump, numbers[i], ways);
            }
        }
        return numbers;
    }

    private static void tell(MethodBranches.Jump jump, int first, int[] ways) {
        Map<Integer, Integer> byLine = new HashMap<>();
        for (int i = 0; i < ways.length; i++) {
            byLine.put(ways[i], first + i);
        }
        int[] numbers = new int[jump.keys.length];
        Arrays.setAll(numbers, key -> byLine.getOrDefault(jump.to(key), first));
        Branches.ways(first, jump.keys, numbers, byLine.getOrDefault(jump.otherwise(), first));
    }

    private static List<Integer> shape(MethodBranches found) {
        List<Integer> shape = new ArrayList<>();
        for (MethodBranches.Jump jump : found.jumps()) {
            shape.add(jump.line);
            shape.add(Arrays.hashCode(jump.keys));
            shape.add(Arrays.hashCode(jump.ways()));
        }
        return shape;
    }

    /** A method that was numbered before. */
    private static final class Known {
        private final List<Integer> shape;
        private final int[] numbers;

        Known(List<Integer> shape, int[] numbers) {
            this.shape = shape;
            this.numbers = numbers;
        }
    }
}
