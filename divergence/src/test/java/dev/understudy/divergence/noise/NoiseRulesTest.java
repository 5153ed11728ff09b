package dev.understudy.divergence.noise;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class NoiseRulesTest {
    private static final NoiseRule AT = new NoiseRule("GET /orders/{n}", "body.items[*].at", ValueClass.TIME);
    private final NoiseRules rules = new NoiseRules(
            List.of(
                    AT,
                    new NoiseRule("*", "body.tags", ValueClass.ORDER),
                    new NoiseRule("*", "body.any", ValueClass.ANY)),
            5);

    @Test
    void difference_thatARuleAllows_isNoise() {
        Verdict verdict = rules.apply(
                "GET /orders/7?x=1",
                different(at("2026-01-01", "2026-01-02T10:00:00Z"), at("\"2026-01-01\"", "\"2026-01-03\"")));

        assertThat(verdict.kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(verdict.differences()).extracting(Difference::noise).containsOnly(Noise.RULE);
        assertThat(rules.fired().get(AT)).isEqualTo(1);
    }

    @Test
    void replyThatWasCutOff_isNotEquivalent_whateverIsOverlooked() {
        Verdict cutOff =
                new Verdict(VerdictKind.DIFFERENT, NotCompared.INCOMPLETE, List.of(at("2026-01-01", "2026-01-02")));

        Verdict verdict = rules.apply("GET /orders/7", cutOff);

        assertThat(verdict.kind()).isEqualTo(VerdictKind.NOT_COMPARED);
        assertThat(verdict.reason()).isEqualTo(NotCompared.INCOMPLETE);
    }

    @Test
    void placeThatARuleForbids_isNeverOverlooked() {
        NoiseRules strict = new NoiseRules(List.of(AT, new NoiseRule("*", "body.items[*].at", ValueClass.NONE)), 5);

        assertThat(strict.apply("GET /orders/7", different(at("2026-01-01", "2026-01-02")))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void valueOfAnotherClass_isADifferenceStill() {
        for (String other : List.of("never", "", "17", "2026-01-0x", "2026-01-01… (900 characters)")) {
            assertThat(rules.apply("GET /orders/7", different(at("2026-01-01", other)))
                            .kind())
                    .as(other)
                    .isEqualTo(VerdictKind.DIFFERENT);
        }
        Difference missing = new Difference("body.items[1].at", Difference.Type.MISSING, "2026-01-01", null, null);
        assertThat(rules.apply("GET /orders/7", different(missing)).kind()).isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void otherRoute_isADifferenceStill() {
        assertThat(rules.apply("GET /orders", different(at("2026-01-01", "2026-01-02")))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(rules.apply("GET /x", different(new Difference("body.tags", Difference.Type.ORDER, "a", "b", null)))
                        .kind())
                .isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(rules.apply("GET /x", different(new Difference("body.tags", Difference.Type.VALUE, "a", "b", null)))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(rules.apply("GET /x", different(new Difference("body.any", Difference.Type.EXTRA, null, "b", null)))
                        .kind())
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void whatElseDiffers_staysFirst() {
        Difference price = new Difference("body.price", Difference.Type.VALUE, "1", "2", null);
        Verdict verdict = rules.apply("GET /orders/7", different(at("2026-01-01", "2026-01-02"), price));

        assertThat(verdict.kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(verdict.differences().get(0)).isEqualTo(price);
        assertThat(verdict.differences().get(1).noise()).isEqualTo(Noise.RULE);
    }

    /** What a comparison didn't list may matter. */
    @Test
    void fullList_isNeverMadeEquivalent() {
        Difference[] full =
                Collections.nCopies(5, at("2026-01-01", "2026-01-02")).toArray(Difference[]::new);
        Verdict verdict = different(full);
        assertThat(rules.apply("GET /orders/7", verdict)).isSameAs(verdict);
        assertThat(rules.fired().get(AT)).isZero();
    }

    @Test
    void classes_areKnownByTheirLooks() {
        assertThat(ValueClass.of("2026-11-21 20:29:08.123+01:00")).isEqualTo(ValueClass.TIME);
        assertThat(ValueClass.of("2026-11-21 20:29:08.123+01")).isEqualTo(ValueClass.TIME);
        assertThat(ValueClass.of("Sat, 21 Nov 2026 20:29:08 GMT")).isEqualTo(ValueClass.TIME);
        assertThat(ValueClass.of("3f2504e0-4f89-11d3-9a0c-0305e82c3301")).isEqualTo(ValueClass.UUID);
        assertThat(ValueClass.of("-17.5e3")).isEqualTo(ValueClass.NUMBER);
        assertThat(ValueClass.of("a8Fq-x02_=")).isEqualTo(ValueClass.TOKEN);
        for (String text : List.of("open", "administrator", "", "12 Baker Street", "1.2.3.4.5.6", "[masked]")) {
            assertThat(ValueClass.of(text)).as(text).isNull();
        }
        assertThat(ValueClass.of("1".repeat(100_000))).isNull();
    }

    private static Verdict different(Difference... differences) {
        return new Verdict(VerdictKind.DIFFERENT, null, List.of(differences));
    }

    private static Difference at(String production, String debug) {
        return new Difference("body.items[1].at", Difference.Type.VALUE, production, debug, null);
    }
}
