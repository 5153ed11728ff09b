package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.AlignedCalls.CallPair;
import dev.understudy.sidecar.experiment.AlignedCalls.Fork;
import dev.understudy.sidecar.experiment.CallOutcome.End;
import dev.understudy.sidecar.experiment.ExecutionParting.Kind;
import dev.understudy.sidecar.experiment.ExecutionTree.CallThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an execution that fails parts from one that passes. Immutable.
 *
 * <p>Of callers that only hand on what one of their calls did, that call is blamed.
 */
final class ExecutionDiff {
    private static final Comparator<ExecutionParting> BY_ORDER = Comparator.comparingInt(ExecutionParting::order)
            .thenComparing(ExecutionParting::kind)
            .thenComparing(ExecutionParting::method);

    private final ExecutionTree failing;
    private final ExecutionTree passing;
    private final Set<Blame> noise;
    /** Whatever parts, callers that hand it on among them. */
    private final Set<Blame> differing = new HashSet<>();

    private final List<ExecutionParting> partings;

    private ExecutionDiff(ExecutionTree failing, ExecutionTree passing, Set<Blame> noise) {
        this.failing = failing;
        this.passing = passing;
        this.noise = noise;
        this.partings = partings(AlignedCalls.of(failing, passing));
    }

    /** Compares two executions; where both fail, or both pass, what it finds is noise. */
    static ExecutionDiff of(ExecutionTree failing, ExecutionTree passing) {
        return new ExecutionDiff(failing, passing, Set.of());
    }

    /** The earliest first; one for each method, kind, and what the failing side did. */
    List<ExecutionParting> partings() {
        return partings;
    }

    /**
     * The same without what parts by chance, too: what parts in the other comparison in that way, by method and kind.
     * A caller that was left out since such a method was blamed may take its place.
     *
     * @param other compares two executions that both pass, or the same failing request twice
     */
    ExecutionDiff without(ExecutionDiff other) {
        Set<Blame> all = new HashSet<>(noise);
        all.addAll(other.differing);
        return new ExecutionDiff(failing, passing, all);
    }

    private List<ExecutionParting> partings(AlignedCalls all) {
        List<ExecutionParting> found = new ArrayList<>();
        int[] firstThrows = firstThrows();
        for (Fork fork : all.forks()) {
            addWay(fork, firstThrows, found);
        }
        addOutcomes(all.pairs(), firstThrows, found);
        found.sort(BY_ORDER);
        return counted(found);
    }

    /** For each thread the index of the first exception that the passing execution lacks. */
    private int[] firstThrows() {
        Map<Blame, Integer> usual = new HashMap<>();
        for (CallThread thread : passing.threads()) {
            thrown(thread).forEach(call -> usual.merge(Blame.ofThrow(call), 1, Integer::sum));
        }
        int[] first =
                new int[Math.max(failing.threads().size(), passing.threads().size())];
        for (int thread = 0; thread < first.length; thread++) {
            first[thread] = Integer.MAX_VALUE;
            for (ExecutionCall call : thrown(failing.thread(thread))) {
                if (usual.merge(Blame.ofThrow(call), -1, Integer::sum) < 0) {
                    first[thread] = Math.min(first[thread], call.end());
                }
            }
        }
        return first;
    }

    private static List<ExecutionCall> thrown(CallThread thread) {
        return thread.calls().stream()
                .filter(call -> call.outcome().end() == End.THREW)
                .sorted(Comparator.comparingInt(ExecutionCall::end))
                .toList();
    }

    private void addWay(Fork fork, int[] firstThrows, List<ExecutionParting> found) {
        Blame blame = new Blame(fork.blamed(), Kind.WAY.name());
        differing.add(blame);
        if (noise.contains(blame)) {
            return;
        }
        CallPair callers = fork.callers();
        found.add(new ExecutionParting(
                fork.blamed(),
                Kind.WAY,
                callers == null ? "" : callers.caller(),
                called(fork.failing()),
                called(fork.passing()),
                callers == null ? List.of() : callers.failing.inputs(),
                callers == null ? List.of() : callers.passing.inputs(),
                fork.order(),
                fork.order() > firstThrows[fork.thread()],
                false,
                false,
                1));
    }

    private static String called(@Nullable ExecutionCall call) {
        return call == null ? "called nothing more" : "called " + call.method();
    }

    private void addOutcomes(List<CallPair> pairs, int[] firstThrows, List<ExecutionParting> found) {
        Set<CallPair> aroundResult = new HashSet<>();
        Set<CallPair> handingOn = new HashSet<>();
        for (int i = pairs.size() - 1; i >= 0; i--) {
            CallPair pair = pairs.get(i);
            CallPair callers = pair.callers;
            boolean isAround = aroundResult.contains(pair);
            if (pair.failing.outcome().differsFrom(pair.passing.outcome())) {
                boolean isInKind = pair.failing.outcome().differsInKindFrom(pair.passing.outcome());
                boolean isResult = pair.hasEqualInputs() && isReported(pair, Kind.RESULT) && !isAround;
                if (isInKind && isReported(pair, Kind.KIND) && !isResult && !handingOn.contains(pair)) {
                    found.add(parting(pair, Kind.KIND, firstThrows));
                } else if (isResult) {
                    found.add(parting(pair, Kind.RESULT, firstThrows));
                }
                isAround |= isResult;
                if (callers != null && callers.hasOutcomesOf(pair)) {
                    handingOn.add(callers);
                }
            }
            if (isAround && callers != null) {
                aroundResult.add(callers);
            }
        }
    }

    /** Remembers that it parts; whether that isn't noise. */
    private boolean isReported(CallPair pair, Kind kind) {
        Blame blame = new Blame(pair.failing.method(), kind.name());
        differing.add(blame);
        return !noise.contains(blame);
    }

    private static ExecutionParting parting(CallPair pair, Kind kind, int[] firstThrows) {
        ExecutionCall failing = pair.failing;
        return new ExecutionParting(
                failing.method(),
                kind,
                pair.caller(),
                failing.outcome().words(),
                pair.passing.outcome().words(),
                failing.inputs(),
                pair.passing.inputs(),
                failing.end(),
                failing.end() > firstThrows[pair.thread],
                failing.outcome().isOfOtherClass(pair.passing.outcome()),
                failing.outcome().isReturnOfOtherKind(pair.passing.outcome()),
                1);
    }

    private static List<ExecutionParting> counted(List<ExecutionParting> sorted) {
        Map<List<String>, ExecutionParting> first = new LinkedHashMap<>();
        for (ExecutionParting parting : sorted) {
            first.merge(
                    List.of(parting.method(), parting.kind().name(), parting.failing()),
                    parting,
                    (earliest, later) -> earliest.counted(earliest.count() + 1));
        }
        return List.copyOf(first.values());
    }

    /** A method, and in which way it parts or what it throws. */
    private record Blame(String method, String what) {
        static Blame ofThrow(ExecutionCall call) {
            return new Blame(call.method(), call.outcome().thrownClass());
        }
    }
}
