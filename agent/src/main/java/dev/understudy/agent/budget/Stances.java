package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Probes;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntFunction;

/** What the operator wants of each probe, those included that come later. Guarded by the {@link Governor}. */
final class Stances {
    private final Stance[] decided = new Stance[Probes.CAPACITY];
    private final Map<Stance, Integer> counts = new EnumMap<>(Stance.class);
    private IntFunction<Stance> rule = probe -> Stance.FREE;
    private int next = 1;

    Stances() {
        Arrays.fill(decided, Stance.FREE);
    }

    /** From now on {@code newRule} decides, also about the probes there are. */
    void follow(IntFunction<Stance> newRule) {
        rule = newRule;
        next = 1;
        counts.clear();
    }

    /** Decides about those that have come; {@code probes} is the smallest number no probe has yet. */
    void decide(int probes) {
        for (; next < probes; next++) {
            Stance stance = rule.apply(next);
            decided[next] = stance;
            Probes.see(next, stance != Stance.OFF);
            counts.merge(stance, 1, Integer::sum);
        }
    }

    Stance of(int probe) {
        return decided[probe];
    }

    int count(Stance stance) {
        return counts.getOrDefault(stance, 0);
    }
}
