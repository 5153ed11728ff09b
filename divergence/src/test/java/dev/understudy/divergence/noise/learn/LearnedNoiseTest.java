package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LearnedNoiseTest {
    private static final int LIMIT = ComparisonRules.defaults().maxDifferences();
    private static final Duration PACE = Duration.ofSeconds(1);

    private final Random random = new Random(7);
    private LearnedNoise learned = new LearnedNoise(new NoiseRules(List.of(), LIMIT), true, LIMIT);
    private final HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
    private Instant now = Instant.parse("2026-03-04T12:00:00Z");
    private int asked;

    @Test
    void freshValues_areOverlooked_onceTheyHaveBeenSeenOftenEnough() {
        IntFunction<String> reply = i -> "{\"n\":1,\"note\":\"" + fresh() + "\"}";
        for (int i = 0; i < LearnedPath.SAMPLES; i++) {
            assertThat(ask(reply, reply).kind()).as("exchange %d", i).isEqualTo(VerdictKind.DIFFERENT);
        }
        Verdict verdict = ask(reply, reply);

        assertThat(verdict.kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(verdict.differences()).extracting(Difference::noise).contains(Noise.LEARNED);
        assertThat(learned.read())
                .containsExactly(
                        new Learned("GET /things/{n}", "body.note", NoiseKind.TOKEN, LearnedPath.SAMPLES, 1, 0));
    }

    @Test
    void anotherKindOfValue_isADivergence_atALearnedPlaceToo() {
        IntFunction<String> reply = i -> "{\"note\":\"" + fresh() + "\"}";
        learn(reply, reply);

        for (String other :
                List.of("{\"note\":null}", "{\"note\":\"\"}", "{\"note\":17}", "{}", "{\"note\":\"error\"}")) {
            assertThat(ask(reply, i -> other).kind()).as(other).isEqualTo(VerdictKind.DIFFERENT);
        }
        assertThat(ask(reply, reply).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(learned.read()).extracting(Learned::broken).containsExactly(5L);
    }

    @Test
    void generatorThatStandsStill_isADivergence() {
        IntFunction<String> reply = i -> "{\"note\":\"" + fresh() + "\"}";
        learn(reply, reply);
        String stuck = reply.apply(0);

        ask(reply, i -> stuck);

        assertThat(ask(reply, i -> stuck).kind()).isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void keysOfRecords_areNeverLearned_becauseTheyComeAgain() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            keys.add(fresh());
        }
        IntFunction<String> production = i -> "{\"note\":\"" + keys.get(i % 100) + "\"}";
        IntFunction<String> wrongRow = i -> "{\"note\":\"" + keys.get((i + 1) % 100) + "\"}";

        assertNeverLearned(production, wrongRow);
    }

    @Test
    void valueThatBeginsToDiffer_afterItWasEqual_isNeverLearned() {
        for (int i = 0; i < 100; i++) {
            String same = "{\"note\":\"" + fresh() + "\"}";
            ask(j -> same, j -> same);
        }
        assertNeverLearned(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":\"" + fresh() + "\"}");
    }

    @Test
    void timesThatGoWithTheClock_areLearned_andAnotherDistanceIsADivergence() {
        IntFunction<String> inAnHour = i -> "{\"until\":\"" + now.plusSeconds(3600) + "\"}";
        learn(i -> "{\"until\":\"" + now.plusSeconds(3600).plusMillis(3) + "\"}", inAnHour);

        assertThat(learned.read()).extracting(Learned::kind).containsExactly(NoiseKind.CLOCK);
        assertThat(ask(inAnHour, i -> "{\"until\":\"" + now.plusSeconds(7200) + "\"}")
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void timesOfRecords_andTimesInTheWrongZone_areNeverLearned() {
        assertNeverLearned(
                i -> "{\"until\":\"" + now.plusSeconds(3600) + "\"}",
                i -> "{\"until\":\"" + now.plusSeconds(7200) + "\"}");
        assertNeverLearned(i -> "{\"of\":\"2026-01-01T10:00:00Z\"}", i -> "{\"of\":\"2026-01-01T10:00:01Z\"}");
    }

    @Test
    void counters_areLearned_butNotWithoutAName_norWhatIsAskedFor() {
        learn(i -> "{\"requests\":" + (100 + i) + "}", i -> "{\"requests\":" + (7 + 2 * i) + "}");
        assertThat(learned.read()).extracting(Learned::kind).containsExactly(NoiseKind.COUNTER);
        assertThat(ask(i -> "{\"requests\":" + (100 + i) + "}", i -> "{\"requests\":100000}")
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);

        assertNeverLearned(i -> "{\"balance\":" + (100 + i) + "}", i -> "{\"balance\":" + (101 + i) + "}");
        assertNeverLearned(i -> "{\"id\":" + asked + "}", i -> "{\"id\":" + (asked + 1) + "}");
        assertNeverLearned(i -> "{\"id\":" + random.nextInt(900) + "}", i -> "{\"id\":" + random.nextInt(900) + "}");
    }

    @Test
    void roundedFractions_areLearned_andNoLargerDifference() {
        learn(i -> "{\"sum\":" + (0.1 * i + 0.2 + 1e-13) + "}", i -> "{\"sum\":" + (0.1 * i + 0.2) + "}");

        assertThat(learned.read()).extracting(Learned::kind).containsExactly(NoiseKind.ROUNDING);
        assertThat(ask(i -> "{\"sum\":0.30000000000000004}", i -> "{\"sum\":0.31000000000000005}")
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertNeverLearned(i -> "{\"price\":10.01}", i -> "{\"price\":10.02}");
    }

    @Test
    void order_isLearned_onlyIfProductionContradictsItself() {
        IntFunction<String> shuffled = i -> {
            List<Integer> tags = new ArrayList<>(List.of(1, 2, 3, 4, 5));
            Collections.shuffle(tags, random);
            return "{\"tags\":" + tags + "}";
        };
        asked = 5;
        for (int i = 0; i < 200; i++) {
            now = now.plus(PACE);
            judge("GET /things/5", shuffled.apply(i), shuffled.apply(i));
        }
        assertThat(learned.read()).extracting(Learned::kind).containsExactly(NoiseKind.ORDER);

        assertNeverLearned(i -> "{\"ranked\":[1,2,3,4]}", i -> "{\"ranked\":[4,3,2,1]}");
    }

    @Test
    void hosts_areLearned_asThePairThatTheyAre() {
        learn(i -> "{\"host\":\"app-1\"}", i -> "{\"host\":\"app-debug\"}");

        assertThat(ask(i -> "{\"host\":\"app-1\"}", i -> "{\"host\":\"app-2\"}").kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertNeverLearned(i -> "{\"mood\":\"good-1\"}", i -> "{\"mood\":\"bad-1\"}");
    }

    @Test
    void nothing_isLearnedBesideADifferenceThatMatters_norAfterAWriteThatDiverged() {
        assertNeverLearned(
                i -> "{\"note\":\"" + fresh() + "\",\"price\":1}", i -> "{\"note\":\"" + fresh() + "\",\"price\":2}");

        for (int i = 0; i < 300; i++) {
            if (i % 40 == 0) {
                judge("POST /orders", "{\"paid\":true}", "{\"paid\":false}");
            }
            assertThat(judge("GET /tickets", "{\"note\":\"" + fresh() + "\"}", "{\"note\":\"" + fresh() + "\"}")
                            .kind())
                    .isEqualTo(VerdictKind.DIFFERENT);
        }
    }

    @Test
    void debugJvmThatBegunAnew_mayCountFromElsewhere_andHaveAnotherName() {
        learn(
                i -> "{\"requests\":" + (100 + i) + ",\"host\":\"app-1\"}",
                i -> "{\"requests\":" + (5000 + i) + ",\"host\":\"app-debug\"}");
        learned.begunAnew();

        IntFunction<String> production = i -> "{\"requests\":" + (100 + i) + ",\"host\":\"app-1\"}";
        for (int n = 0; n < 10; n++) {
            assertThat(ask(production, i -> "{\"requests\":" + (i - 50) + ",\"host\":\"app-debug-2\"}")
                            .kind())
                    .isEqualTo(VerdictKind.EQUIVALENT);
        }
        assertThat(ask(production, i -> "{\"requests\":" + (i - 50) + ",\"host\":\"app-debug\"}")
                        .kind())
                .as("its name of before")
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(ask(production, i -> "{\"requests\":" + (5000 + i) + ",\"host\":\"app-debug-2\"}")
                        .kind())
                .as("what it counted before")
                .isEqualTo(VerdictKind.DIFFERENT);
        learned.begunAnew();
        assertThat(ask(i -> "{\"requests\":7,\"host\":\"app-1\"}", i -> "{\"requests\":9,\"host\":\"app-3\"}")
                        .kind())
                .as("production didn't begin anew")
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void debugJvmThatBegunAnew_isInStepAgain_andMayShowNothingOfAnotherKind() {
        learn(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":\"" + fresh() + "\"}");
        judge("POST /orders", "{\"paid\":true}", "{\"paid\":false}");
        learned.begunAnew();

        assertThat(ask(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":null}")
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        for (int i = 0; i < LearnedPath.SAMPLES; i++) {
            judge("GET /tickets", "{\"note\":\"" + fresh() + "\"}", "{\"note\":\"" + fresh() + "\"}");
        }
        assertThat(judge("GET /tickets", "{\"note\":\"" + fresh() + "\"}", "{\"note\":\"" + fresh() + "\"}")
                        .kind())
                .as("a divergence before the epoch has no consequences in it")
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void debugJvmThatBegunAnew_isGivenTimeAnew_toBreakWhatWasLearned() {
        IntFunction<String> reply = i -> "{\"note\":\"" + fresh() + "\"}";
        learn(reply, reply);
        for (int i = 0; i < 19; i++) {
            ask(reply, n -> "{\"note\":null}");
        }
        learned.begunAnew();
        ask(reply, n -> "{\"note\":null}");
        assertThat(ask(reply, reply).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        for (int i = 0; i < 20; i++) {
            ask(reply, n -> "{\"note\":null}");
        }
        assertThat(ask(reply, reply).kind()).as("without a beginning").isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void counterThatIsSetBack_isReportedUntilItIsLearnedAnew() {
        IntFunction<String> debug = i -> "{\"requests\":" + (5000 + i) + "}";
        learn(i -> "{\"requests\":" + (100_000 + i) + "}", debug);
        IntFunction<String> back = i -> "{\"requests\":" + (1000 + i) + "}";
        for (int i = 0; i < 20 + LearnedPath.SAMPLES; i++) {
            assertThat(ask(back, debug).kind()).as("exchange %d", i).isEqualTo(VerdictKind.DIFFERENT);
        }
        assertThat(ask(back, debug).kind()).isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void valueThatBeginsToDifferAfterTheBeginning_isNeverLearned() {
        for (int i = 0; i < 21; i++) {
            assertThat(ask(n -> "{\"note\":\"equal\"}", n -> "{\"note\":\"equal\"}")
                            .kind())
                    .isEqualTo(VerdictKind.SAME);
        }
        assertNeverLearned(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":\"" + fresh() + "\"}");
    }

    @Test
    void nothing_isLearnedWhileDebugIsInstrumented() {
        learned.instrumented(now.plus(Duration.ofDays(1)));

        assertNeverLearned(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":\"" + fresh() + "\"}");
    }

    @Test
    void place_thatARuleForbids_isNeverLearned() {
        NoiseRule none = new NoiseRule("*", "body.note", ValueClass.NONE);
        learned = new LearnedNoise(new NoiseRules(List.of(none), LIMIT), true, LIMIT);

        assertNeverLearned(i -> "{\"note\":\"" + fresh() + "\"}", i -> "{\"note\":\"" + fresh() + "\"}");
    }

    @Test
    void routesAndPlaces_areBounded() {
        for (int i = 0; i < 5000; i++) {
            now = now.plus(PACE);
            String route = "GET /r" + Integer.toString(i % 1000, 36).replaceAll("[0-9]", "x") + "/y";
            judge(route, "{\"p" + i + "\":\"" + fresh() + "\"}", "{\"p" + i + "\":\"" + fresh() + "\"}");
        }
        assertThat(learned.places()).isLessThanOrEqualTo(1000);
    }

    private void learn(IntFunction<String> production, IntFunction<String> debug) {
        for (int i = 0; i < LearnedPath.SAMPLES; i++) {
            ask(production, debug);
        }
        assertThat(ask(production, debug).kind()).isEqualTo(VerdictKind.EQUIVALENT);
    }

    private void assertNeverLearned(IntFunction<String> production, IntFunction<String> debug) {
        for (int i = 0; i < 400; i++) {
            Verdict verdict = ask(production, debug);
            assertThat(verdict.kind()).as("exchange %d: %s", i, verdict).isEqualTo(VerdictKind.DIFFERENT);
        }
    }

    private Verdict ask(IntFunction<String> production, IntFunction<String> debug) {
        now = now.plus(PACE);
        asked++;
        return judge("GET /things/" + asked, production.apply(asked), debug.apply(asked));
    }

    private Verdict judge(String request, String production, String debug) {
        HttpReply ours = reply(production);
        HttpReply theirs = reply(debug);
        TextSpan span = new TextSpan(now, now.plusMillis(10));
        return learned.apply(request, comparison.compare(ours, theirs), span, span);
    }

    private HttpReply reply(String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        ReplyHead head = new ReplyHead("HTTP/1.1", 200, "OK", List.of(new Header("Content-Type", "application/json")));
        return new HttpReply(List.of(), head, body, body.length, new byte[0], List.of(), true, now, now.plusMillis(10));
    }

    /** An opaque value that the identity map wouldn't take, since its place says nothing of an identity. */
    private String fresh() {
        return "run_" + new UUID(random.nextLong(), random.nextLong());
    }
}
