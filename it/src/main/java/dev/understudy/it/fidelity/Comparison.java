package dev.understudy.it.fidelity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What became of the debug side's operations, beside production's of the same name. Asks nobody but the clients: the
 * aggregator's own account of itself counts for nothing here.
 *
 * @param operations that production did
 * @param same with production's result
 * @param missed which the aggregator refused for want of a recorded reply
 * @param otherwise with a result that production got for the same form, but not in that place
 * @param lost that the debug side never did, since what went before had failed
 * @param misses how many there were of each form
 * @param wrong each one whose result production never got for that form: there must be none
 */
public record Comparison(
        int operations,
        int same,
        int missed,
        int otherwise,
        int lost,
        Map<String, Integer> misses,
        List<Difference> wrong) {
    /** An answer that the real server didn't give. */
    public record Difference(Operation debug, String production) {}

    public Comparison {
        misses = Map.copyOf(misses);
        wrong = List.copyOf(wrong);
    }

    public static Comparison of(List<Operation> production, List<Operation> debug) {
        Map<String, String> expected = new HashMap<>();
        Map<String, Set<String>> given = new HashMap<>();
        for (Operation operation : production) {
            if (expected.put(operation.name(), operation.result()) != null) {
                throw new IllegalArgumentException(operation.name() + ": twice (expected: names of their own)");
            }
            given.computeIfAbsent(operation.form(), form -> new HashSet<>()).add(operation.result());
        }
        int same = 0;
        int missed = 0;
        int otherwise = 0;
        Map<String, Integer> misses = new TreeMap<>();
        List<Difference> wrong = new ArrayList<>();
        for (Operation operation : debug) {
            String result = operation.result();
            String wanted = expected.get(operation.name());
            if (result.equals(wanted)) {
                same++;
            } else if (Transcript.missed(result)) {
                missed++;
                misses.merge(operation.form(), 1, Integer::sum);
            } else if (given.getOrDefault(operation.form(), Set.of()).contains(result)) {
                otherwise++;
            } else {
                wrong.add(new Difference(
                        operation,
                        wanted == null
                                ? String.join(" or ", given.getOrDefault(operation.form(), Set.of("nothing")))
                                : wanted));
            }
        }
        int lost = Math.max(0, production.size() - debug.size());
        return new Comparison(production.size(), same, missed, otherwise, lost, misses, wrong);
    }

    /** Of production's operations, how many came to the same on the debug side, from 0 to 1. */
    public double share() {
        return operations == 0 ? 0 : (double) same / operations;
    }

    /** The forms that were missed most often. */
    public Collection<Map.Entry<String, Integer>> topMisses(int most) {
        return misses.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .toList();
    }
}
