package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Changes replies in ways that mean something: none of them may pass for SAME or EQUIVALENT. */
class RespMutationTest {
    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private static final List<String> COMMANDS = List.of(
            "GET k",
            "HGETALL k",
            "SMEMBERS k",
            "LRANGE k 0 -1",
            "KEYS *",
            "EXEC",
            "ZRANGE k 0 -1",
            "CONFIG GET *",
            "EVAL s");

    private final RespComparison comparison = new RespComparison(ComparisonRules.defaults(), new IdentityMap(100));

    @Test
    void everyMutation_isDifferent() {
        int mutated = 0;
        for (long seed = 0; seed < 6000; seed++) {
            Random random = new Random(seed);
            String command = COMMANDS.get(random.nextInt(COMMANDS.size()));
            RespValue original = value(random, 0);
            RespValue changed = mutate(original, random, new int[] {random.nextInt(nodes(original))});
            if (!changed.equals(original)) {
                mutated++;
                assertThat(compare(command, original, changed).kind())
                        .as("seed %d, %s: %s, %s", seed, command, original, changed)
                        .isEqualTo(VerdictKind.DIFFERENT);
            }
        }
        assertThat(mutated).isGreaterThan(5000);
    }

    @Test
    void anotherOrder_isDifferentInLists_andEquivalentInSets() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            List<RespValue> items = new ArrayList<>();
            for (int i = 0; i < 2 + random.nextInt(6); i++) {
                items.add(bulk("m" + i));
            }
            List<RespValue> shuffled = new ArrayList<>(items);
            Collections.shuffle(shuffled, random);
            if (shuffled.equals(items)) {
                continue;
            }
            RespValue list = new RespValue.Array(items);
            RespValue other = new RespValue.Array(shuffled);
            assertThat(compare("LRANGE k 0 -1", list, other).kind())
                    .as("seed %d", seed)
                    .isEqualTo(VerdictKind.DIFFERENT);
            assertThat(compare("SMEMBERS k", list, other).kind())
                    .as("seed %d", seed)
                    .isEqualTo(VerdictKind.EQUIVALENT);
            assertThat(compare("GET k", new RespValue.Unordered(items), new RespValue.Unordered(shuffled))
                            .kind())
                    .as("seed %d", seed)
                    .isEqualTo(VerdictKind.EQUIVALENT);
        }
    }

    @Test
    void garbage_neverThrows_andIsNeverTheSame() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] wire = value(random, 0).encode();
            byte[] broken = wire.clone();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
            }
            if (!java.util.Arrays.equals(wire, broken)) {
                Verdict verdict = comparison.compare(
                        RespComparisonTest.command(COMMANDS.get(random.nextInt(COMMANDS.size()))),
                        List.of(),
                        RespReply.of(wire, NOW, NOW),
                        RespReply.of(broken, NOW, NOW));
                assertThat(verdict.kind()).as("seed %d", seed).isNotEqualTo(VerdictKind.SAME);
                assertThat(verdict.reason()).as("seed %d", seed).isNotEqualTo(NotCompared.INTERNAL);
            }
        }
    }

    private Verdict compare(String command, RespValue production, RespValue debug) {
        return comparison.compare(
                RespComparisonTest.command(command),
                List.of(),
                RespReply.of(production.encode(), NOW, NOW),
                RespReply.of(debug.encode(), NOW, NOW));
    }

    /** Changes the node that the counter reaches. */
    private static RespValue mutate(RespValue value, Random random, int[] countdown) {
        if (countdown[0]-- == 0) {
            return changed(value, random);
        }
        if (value instanceof RespValue.Array array && array.items() != null) {
            return new RespValue.Array(each(array.items(), random, countdown));
        } else if (value instanceof RespValue.Unordered set) {
            return new RespValue.Unordered(each(set.items(), random, countdown));
        } else if (value instanceof RespValue.Mapping map) {
            return new RespValue.Mapping(map.entries().stream()
                    .map(entry -> new RespValue.Entry(entry.key(), mutate(entry.value(), random, countdown)))
                    .toList());
        }
        return value;
    }

    private static List<RespValue> each(List<RespValue> items, Random random, int[] countdown) {
        return items.stream().map(item -> mutate(item, random, countdown)).toList();
    }

    private static RespValue changed(RespValue value, Random random) {
        if (value instanceof RespValue.Array array && array.items() != null) {
            return new RespValue.Array(longerOrShorter(array.items(), random));
        } else if (value instanceof RespValue.Unordered set) {
            return new RespValue.Unordered(longerOrShorter(set.items(), random));
        } else if (value instanceof RespValue.Mapping map) {
            return map.entries().isEmpty()
                    ? new RespValue.Null()
                    : new RespValue.Mapping(
                            map.entries().subList(1, map.entries().size()));
        } else if (value instanceof RespValue.Bulk bulk && bulk.bytes() != null) {
            String text = new String(bulk.bytes(), StandardCharsets.UTF_8);
            return switch (random.nextInt(4)) {
                case 0 -> bulk(text + "x");
                case 1 -> new RespValue.Bulk(null);
                case 2 -> new RespValue.Simple(text);
                default -> bulk("x" + text);
            };
        } else if (value instanceof RespValue.Int number) {
            return random.nextBoolean() ? new RespValue.Int(number.value() + 1) : bulk("" + number.value());
        } else if (value instanceof RespValue.Decimal decimal) {
            return new RespValue.Decimal(decimal.text() + "1");
        } else if (value instanceof RespValue.Bool bool) {
            return new RespValue.Bool(!bool.value());
        } else if (value instanceof RespValue.SimpleError error) {
            return random.nextBoolean()
                    ? new RespValue.SimpleError("X" + error.message())
                    : new RespValue.Simple(error.message());
        }
        return new RespValue.Simple("changed");
    }

    private static List<RespValue> longerOrShorter(List<RespValue> items, Random random) {
        List<RespValue> changed = new ArrayList<>(items);
        if (changed.isEmpty() || random.nextBoolean()) {
            changed.add(bulk("more"));
            changed.add(bulk("still more"));
        } else {
            changed.remove(random.nextInt(changed.size()));
        }
        return changed;
    }

    private static int nodes(RespValue value) {
        int nodes = 1;
        if (value instanceof RespValue.Array array && array.items() != null) {
            nodes += array.items().stream().mapToInt(RespMutationTest::nodes).sum();
        } else if (value instanceof RespValue.Unordered set) {
            nodes += set.items().stream().mapToInt(RespMutationTest::nodes).sum();
        } else if (value instanceof RespValue.Mapping map) {
            nodes += map.entries().stream()
                    .mapToInt(entry -> nodes(entry.value()))
                    .sum();
        }
        return nodes;
    }

    private static RespValue value(Random random, int depth) {
        return switch (random.nextInt(depth < 3 ? 11 : 7)) {
            case 0 -> new RespValue.Simple("S" + random.nextInt(10));
            case 1 -> new RespValue.SimpleError("ERR " + random.nextInt(10));
            case 2 -> new RespValue.Int(random.nextInt(1000));
            case 3 -> bulk("v" + random.nextInt(1000));
            case 4 -> new RespValue.Null();
            case 5 -> new RespValue.Bool(random.nextBoolean());
            case 6 -> new RespValue.Decimal(random.nextInt(100) + "." + (1 + random.nextInt(9)));
            case 7 -> new RespValue.Unordered(items(random, depth));
            case 8 -> new RespValue.Mapping(entries(random, depth));
            default -> new RespValue.Array(items(random, depth));
        };
    }

    private static List<RespValue> items(Random random, int depth) {
        List<RespValue> items = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            items.add(value(random, depth + 1));
        }
        return items;
    }

    private static List<RespValue.Entry> entries(Random random, int depth) {
        List<RespValue.Entry> entries = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            entries.add(new RespValue.Entry(bulk("f" + i), value(random, depth + 1)));
        }
        return entries;
    }

    private static RespValue bulk(String text) {
        return new RespValue.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
