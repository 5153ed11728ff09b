package dev.understudy.sidecar.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExecutionPropertiesTest {
    private static final long SEED = 31;
    private static final int ROUNDS = 2_000;

    @Test
    void anExecution_doesNotPartFromItself() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            long seed = random.nextLong();
            ExecutionTree one = tree(seed);
            assertThat(ExecutionDiff.of(one, tree(seed)).partings())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /** An agent numbers methods in the order in which it met them. */
    @Test
    void numbersOfMethods_changeNothing() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            ExecutionTree one = tree(random.nextLong());
            long seed = random.nextLong();
            ExecutionScript numbered = new ExecutionScript("M#f", "M#e", "M#d", "M#c", "M#b", "M#a");
            ExecutionTree other =
                    RandomExecution.addTo(numbered, new Random(seed), 40).tree();
            assertThat(ExecutionDiff.of(one, other).partings())
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(ExecutionDiff.of(one, tree(seed)).partings());
        }
    }

    @Test
    void exchangedSides_partInTheSameMethods_inTheSameWay() {
        Random random = new Random(SEED);
        int parted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            ExecutionTree one = tree(random.nextLong());
            ExecutionTree other = tree(random.nextLong());
            ExecutionDiff diff = ExecutionDiff.of(one, other);
            assertThat(blamed(ExecutionDiff.of(other, one)))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(blamed(diff));
            parted += diff.partings().size();
        }

        assertThat(parted).isGreaterThan(ROUNDS);
    }

    @Test
    void partings_areOrdered_andSayTwoThings() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            ExecutionDiff diff = ExecutionDiff.of(tree(random.nextLong()), tree(random.nextLong()));
            assertThat(diff.partings())
                    .as("seed %d, round %d", SEED, round)
                    .isSortedAccordingTo((one, other) -> Integer.compare(one.order(), other.order()))
                    .allSatisfy(parting -> assertThat(parting.failing()).isNotEqualTo(parting.passing()));
            assertThat(diff.without(diff).partings()).isEmpty();
        }
    }

    @Test
    void deepRecursion_isReadAndCompared() {
        ExecutionTree failing = deep(10_000, "null");

        assertThat(ExecutionDiff.of(failing, deep(10_000, "7")).partings())
                .extracting(ExecutionParting::order)
                .containsExactly(10_000);
        assertThat(ExecutionDiff.of(failing, deep(9_999, "null")).partings()).hasSize(1);
    }

    private static ExecutionTree deep(int depth, String returned) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            lines.add("e|A#a||1");
        }
        for (int i = 0; i < depth; i++) {
            lines.add("r|A#a|" + returned);
        }
        return ExecutionScript.execution(lines.toArray(new String[0]));
    }

    /** One caller with as many calls as there may be, too many for a table. */
    @Test
    void manyCallsOfOneCaller_areAlignedByWhatComesAgainSoonest() {
        ExecutionTree failing = wide(new Random(SEED), -1);
        ExecutionTree passing = wide(new Random(SEED), 2_000);

        assertThat(ExecutionDiff.of(failing, failing).partings()).isEmpty();
        List<ExecutionParting> partings = ExecutionDiff.of(failing, passing).partings();
        assertThat(partings).extracting(ExecutionParting::kind).containsExactly(ExecutionParting.Kind.WAY);
        assertThat(partings.get(0).passing()).isEqualTo("called Extra#first");
        assertThat(partings.get(0).order()).isEqualTo(1 + 2 * 2_000);
    }

    /** Has extra calls after that many, and shortly before its end. */
    private static ExecutionTree wide(Random random, int extra) {
        List<String> lines = new ArrayList<>();
        lines.add("e|A#a|");
        int calls = ExecutionReader.MOST_EVENTS / 2 - 3;
        for (int i = 0; i < calls; i++) {
            if (i == extra) {
                lines.addAll(List.of("e|Extra#first|", "r|Extra#first"));
            } else if (extra >= 0 && i == calls - 5) {
                lines.addAll(List.of("e|Extra#last|", "r|Extra#last"));
            }
            int method = random.nextInt(200);
            lines.add("e|M#" + method + "||" + i);
            lines.add("r|M#" + method + "|" + (i % 2 == 0 ? "null" : i));
        }
        lines.add("r|A#a");
        return ExecutionScript.execution(lines.toArray(new String[0]));
    }

    @Test
    void twoUnlikeExecutionsOfMostSize_areCompared() {
        ExecutionTree one = RandomExecution.script(new Random(1), ExecutionReader.MOST_EVENTS / 4)
                .tree();
        ExecutionTree other = wide(new Random(2), -1);
        ExecutionTree third = wide(new Random(3), -1);

        assertThat(ExecutionDiff.of(one, other).partings()).isNotEmpty();
        assertThat(ExecutionDiff.of(other, third).partings()).isNotEmpty();
    }

    private static ExecutionTree tree(long seed) {
        return RandomExecution.script(new Random(seed), 40).tree();
    }

    private static Set<String> blamed(ExecutionDiff diff) {
        return diff.partings().stream()
                .map(parting -> parting.method() + " " + parting.kind())
                .collect(Collectors.toSet());
    }
}
