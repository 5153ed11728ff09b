package dev.understudy.divergence.compare.raw;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Any split of the same bytes gives the same verdicts. */
class RawChunksTest {
    private static final int ROUNDS = 3000;

    @Test
    void anySplit_ofEqualReplies_isSame() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Talk talk = new Talk(random.nextInt(40), Long.MAX_VALUE, random);
            int turns = 1 + random.nextInt(5);
            for (int i = 0; i < turns; i++) {
                talk.client("q".repeat(1 + random.nextInt(9)) + "\n");
                String reply = text(random);
                talk.production(reply).tells().debug(reply);
            }
            assertThat(kinds(talk.ends())).as("seed " + seed).hasSize(turns).allMatch(kind -> kind.endsWith("SAME"));
            assertThat(talk.used).as("seed " + seed).isZero();
        }
    }

    @Test
    void anySplit_givesTheVerdictsOfTheWhole() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Talk whole = said(seed, null);
            Talk split = said(seed, new Random(~seed));
            assertThat(split.turns).as("seed " + seed).containsExactlyInAnyOrderElementsOf(whole.turns);
            assertThat(split.used).as("seed " + seed).isZero();
        }
    }

    @Test
    void anyDifference_isFound_whereverItLies() {
        int found = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Talk talk = new Talk(random.nextInt(400), Long.MAX_VALUE, random);
            int turns = 1 + random.nextInt(4);
            int wrong = random.nextInt(turns);
            for (int i = 0; i < turns; i++) {
                talk.client("q\n");
                String reply = text(random);
                String other = i == wrong ? changed(reply, random) : reply;
                if (random.nextBoolean()) {
                    talk.production(reply).tells().debug(other);
                } else {
                    talk.tells().debug(other).production(reply);
                }
            }
            List<String> kinds = kinds(talk.ends());
            String all = "seed " + seed + " " + talk.turns;
            assertThat(kinds).as(all).hasSize(turns);
            assertThat(kinds.stream().allMatch(kind -> kind.equals("SAME")))
                    .as(all)
                    .isFalse();
            assertThat(talk.used).as(all).isZero();
            found += kinds.stream().anyMatch(kind -> kind.startsWith("DIFFERENT")) ? 1 : 0;
        }
        // the others found no room, or said by chance what belongs to another reply
        assertThat(found).isGreaterThan(ROUNDS * 9 / 10);
    }

    /** Anything at all, in any order: the same each time, but for how it is split. */
    private static Talk said(int seed, @Nullable Random splits) {
        Random random = new Random(seed);
        Talk talk = new Talk(1 << 20, Long.MAX_VALUE, splits);
        int steps = random.nextInt(30);
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(5)) {
                case 0 -> talk.client("q".repeat(random.nextInt(4)) + "\n");
                case 1 -> talk.production("ab".repeat(random.nextInt(3)));
                case 2 -> talk.debug("ab".repeat(random.nextInt(3)) + (random.nextInt(9) == 0 ? "x" : ""));
                case 3 -> talk.tells();
                default -> talk.both("ab");
            }
        }
        return talk.ends();
    }

    private static List<String> kinds(Talk talk) {
        return talk.verdicts.stream()
                .map(verdict -> verdict.kind() + (verdict.reason() == null ? "" : " " + verdict.reason()))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(30);
        for (int i = 0; i < length; i++) {
            text.append((char) (random.nextInt(3) == 0 ? random.nextInt(256) : 'a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static String changed(String text, Random random) {
        int at = random.nextInt(text.length());
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, at) + (char) (text.charAt(at) ^ 1) + text.substring(at + 1);
            case 1 -> text + "!";
            default -> text.substring(0, at);
        };
    }
}
