package dev.understudy.agent.branch;

import dev.understudy.agent.bootstrap.Branches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the numbers of branches and knows what they stand for.
 *
 * <p>A number is never given out again: a method whose branches are woven anew keeps its numbers, as long as its code is the same.
 * Writers are guarded by this object; {@link #branch} and {@link #branches} are for any thread.
 */
public final class BranchDirectory {
    private static final int MOST_KEYS = 1 << 16;

    private final WeakHashMap<ClassLoader, Map<String, Known>> methods = new WeakHashMap<>();
    private final AtomicReferenceArray<@Nullable Branch> branches = new AtomicReferenceArray<>(Branches.CAPACITY);
    private volatile int next = 1;
    private int keys;

    /** The smallest number no branch has yet; they are 1 up to this. */
    public int branches() {
        return next;
    }

    /**
     * What a number stands for.
     *
     * @throws IllegalArgumentException if no branch has it
     */
    public Branch branch(int number) {
        Branch branch = branches.get(number);
        if (branch == null) {
            throw new IllegalArgumentException("branch: " + number + " (expected: 1 to " + (next - 1) + ")");
        }
        return branch;
    }

    /**
     * The numbers of a method's jumps, 0 for those that aren't told of.
     *
     * @param method its name and descriptor
     * @param label its name, as people know it
     */
    synchronized int[] numbers(
            ClassLoader loader, String className, String method, String label, MethodBranches found) {
        Map<String, Known> ofLoader = methods.computeIfAbsent(loader, any -> new HashMap<>());
        String key = className + '.' + method;
        List<Integer> shape = shape(found);
        Known known = ofLoader.get(key);
        if (known == null || !known.shape.equals(shape)) {
            known = new Known(shape, anew(className, label, found));
            ofLoader.put(key, known);
        }
        return known.numbers;
    }

    private int[] anew(String className, String label, MethodBranches found) {
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
                branches.set(
                        first + way,
                        new Branch(
                                className, label, jump.line, ways[way], jump.condition, found.conditions(jump.line)));
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
