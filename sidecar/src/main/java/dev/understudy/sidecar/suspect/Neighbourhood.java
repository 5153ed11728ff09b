package dev.understudy.sidecar.suspect;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The classes around suspects in failing runs, the nearest first: those of their callers and callees, then those of
 * what came true shortly before or after them, for which no call is known.
 *
 * <p>Of each run a method counts by its distance to the nearest suspect, in calls, whoever called whom: 1 for the one
 * next to it, a half for the one after that. A class has what its best method has of all runs together; among those
 * that have as much, what is near in the order of events decides. Takes a pass through a run's calls for each step
 * outwards, and two numbers for each method.
 */
final class Neighbourhood {
    /** So many suspects are looked around. */
    private static final int SUSPECTS = 3;
    /** So far around a suspect, in calls: further away it is half the program, and the order of events says more. */
    private static final int CALLS = 3;
    /** So far around a suspect, in predicates that came true. */
    private static final int REACH = 64;

    private final Methods methods;

    /** @param methods what the numbers stand for */
    Neighbourhood(Methods methods) {
        this.methods = methods;
    }

    /** The classes around the first of these suspects, their own among them. */
    List<String> of(List<Suspect> suspects, List<Run> failures) {
        Set<String> centres = new HashSet<>();
        suspects.stream().limit(SUSPECTS).forEach(suspect -> centres.add(suspect.method()));
        Map<String, Double> byCalls = byCalls(centres, failures);
        Map<String, Double> byOrder = byOrder(centres, failures);
        Set<String> all = new HashSet<>(byCalls.keySet());
        all.addAll(byOrder.keySet());
        return all.stream()
                .sorted(highest(byCalls).thenComparing(highest(byOrder)).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static Comparator<String> highest(Map<String, Double> shares) {
        return Comparator.comparingDouble(name -> -shares.getOrDefault(name, 0.0));
    }

    private Map<String, Double> byCalls(Set<String> centres, List<Run> failures) {
        BitSet suspected = new BitSet();
        centres.stream().mapToInt(methods::of).filter(method -> method >= 0).forEach(suspected::set);
        double[] shares = new double[methods.count()];
        failures.forEach(run -> outwards(suspected, run.calls, shares));
        Map<String, Double> classes = new HashMap<>();
        for (int method = 0; method < shares.length; method++) {
            if (shares[method] > 0) {
                classes.merge(methods.className(method), shares[method], Math::max);
            }
        }
        return classes;
    }

    /** Adds what each method has by one run. */
    private static void outwards(BitSet suspected, int[] calls, double[] shares) {
        BitSet reached = (BitSet) suspected.clone();
        for (int distance = 1; distance <= CALLS; distance++) {
            BitSet next = new BitSet();
            for (int i = 0; i + 1 < calls.length; i += 2) {
                boolean isReached = reached.get(calls[i]);
                if (isReached != reached.get(calls[i + 1])) {
                    next.set(calls[isReached ? i + 1 : i]);
                }
            }
            for (int method = next.nextSetBit(0); method >= 0; method = next.nextSetBit(method + 1)) {
                shares[method] += 1.0 / distance;
            }
            reached.or(next);
        }
    }

    private Map<String, Double> byOrder(Set<String> centres, List<Run> failures) {
        Map<String, Double> shares = new HashMap<>();
        for (Run run : failures) {
            for (int centre = 0; centre < run.held.length; centre++) {
                if (centres.contains(methods.name(run.held[centre] / Predicate.ROOM))) {
                    int end = Math.min(run.held.length, centre + REACH);
                    for (int i = Math.max(0, centre - REACH); i < end; i++) {
                        shares.merge(
                                methods.className(run.held[i] / Predicate.ROOM),
                                1.0 / (1 + Math.abs(i - centre)),
                                Double::sum);
                    }
                }
            }
        }
        return shares;
    }
}
