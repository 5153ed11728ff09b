package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static org.assertj.core.api.Assertions.assertThat;

class JsonComparisonTest {
    private final Replies replies = new Replies();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":[true,null]} | { \"b\" : [ true , null ], \"a\": 1 } | CONTENT_FORM",
                "{\"a\":\"\\u0041/\"} | {\"a\":\"A\\/\"} | CONTENT_FORM",
                "{\"at\":\"2026-03-04T12:00:00.12Z\"} | {\"at\":\"2026-03-04T12:03:00.123Z\"} | EXCHANGE_TIME",
                "{\"at\":\"2026-03-04T12:00:00.12\"} | {\"at\":\"2026-03-04T12:03:00\"} | EXCHANGE_TIME",
                "{\"at\":\"2026-03-04 12:00:01+0000\"} | {\"at\":\"2026-03-04 12:03:01+0000\"} | EXCHANGE_TIME",
                "{\"at\":1772625600} | {\"at\":1772625780} | EXCHANGE_TIME",
                "{\"at\":1772625600123} | {\"at\":1772625780123} | EXCHANGE_TIME",
                "{\"at\":1772625600.123456789} | {\"at\":1772625780.1} | EXCHANGE_TIME",
                "{\"at\":\"1772625600123\"} | {\"at\":\"1772625780123\"} | EXCHANGE_TIME",
                "{\"id\":\"3f2504e0-4f89-41d3-9a0c-0305e82c3301\"} | "
                        + "{\"id\":\"9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d\"} | IDENTITY",
                "{\"csrf\":\"kT3vQ9xZ2mB7nL5pR8wY4c\"} | {\"csrf\":\"Zp7Hd2Kq9Wm4Xv6Ts1Ra8b\"} | IDENTITY",
            })
    void noise_isEquivalent(String production, String debug, Noise noise) {
        Verdict verdict = replies.json(production, debug);

        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(EQUIVALENT);
        assertThat(verdict.differences()).anyMatch(difference -> difference.noise() == noise);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1} | {\"a\":2} | body.a | VALUE",
                "{\"a\":1} | {\"a\":1.0} | body.a | VALUE",
                "{\"a\":100} | {\"a\":1e2} | body.a | VALUE",
                "{\"a\":0} | {\"a\":-0} | body.a | VALUE",
                "{\"a\":9007199254740993} | {\"a\":9007199254740992} | body.a | VALUE",
                "{\"a\":0.1000000000000000055} | {\"a\":0.1} | body.a | VALUE",
                "{\"a\":1} | {\"a\":\"1\"} | body.a | TYPE",
                "{\"a\":null} | {} | body.a | MISSING",
                "{} | {\"a\":null} | body.a | EXTRA",
                "{\"a\":true} | {\"a\":false} | body.a | VALUE",
                "{\"a\":{}} | {\"a\":[]} | body.a | TYPE",
                "{\"a\":\"x\"} | {\"a\":\"X\"} | body.a | VALUE",
                "{\"a\":\"\"} | {\"a\":null} | body.a | TYPE",
                "{\"items\":[{\"p\":1},{\"p\":2}]} | {\"items\":[{\"p\":1},{\"p\":3}]} | body.items[1].p | VALUE",
                "[1,2,3] | [3,2,1] | body | ORDER",
                "[1,2,3] | [1,2] | body | LENGTH",
                "[1,2,3] | [1,2] | body[2] | MISSING",
                "[1,3] | [1,2,3] | body[1] | EXTRA",
                "{\"a b\":1} | {\"a b\":2} | body[\"a b\"] | VALUE",
                "{\"at\":\"2026-03-04T12:00:00Z\"} | {\"at\":\"2026-03-04T12:00:10Z\"} | body.at | VALUE",
                "{\"at\":\"2026-03-04T12:00:00Z\"} | {\"at\":\"2026-03-04T13:03:00+01:00\"} | body.at | VALUE",
                "{\"at\":\"2026-03-04T13:00:00\"} | {\"at\":\"2026-03-04T12:03:00\"} | body.at | VALUE",
                "{\"at\":\"2026-03-04T12:30:00\"} | {\"at\":\"2026-03-04T12:33:00\"} | body.at | VALUE",
                "{\"at\":1772625600} | {\"at\":1772625600123} | body.at | VALUE",
                "{\"id\":17} | {\"id\":18} | body.id | VALUE",
                "{\"id\":\"order-2026-000017\"} | {\"id\":\"order-2026-000018\"} | body.id | VALUE",
                "{\"name\":\"iPhone15ProMax256GB\"} | {\"name\":\"GalaxyS24Ultra512GB\"} | body.name | VALUE",
                "{\"id\":\"3f2504e0-4f89-41d3-9a0c-0305e82c3301\"} | "
                        + "{\"id\":\"3f2504e0-4f89-41d3-9a0c-0305e82c3302\"} | body.id | VALUE",
                "{\"sha256\":\"0123456789abcdef0123456789abcdef\"} | "
                        + "{\"sha256\":\"fedcba9876543210fedcba9876543210\"} | body.sha256 | VALUE",
            })
    void realDifference_isFoundAtItsPath(String production, String debug, String path, Difference.Type type) {
        Verdict verdict = replies.json(production, debug);

        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(DIFFERENT);
        assertThat(verdict.differences())
                .as("%s", verdict)
                .anyMatch(difference ->
                        difference.noise() == null && difference.path().equals(path) && difference.type() == type);
    }

    @Test
    void valueSeenOnBothSides_isNobodysOwn() {
        String alice = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        String bob = "9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d";
        replies.json("{\"customer\":\"" + alice + "\"}", "{\"customer\":\"" + alice + "\"}");

        assertThat(replies.json("{\"customer\":\"" + alice + "\"}", "{\"customer\":\"" + bob + "\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.json("{\"customer\":\"" + bob + "\"}", "{\"customer\":\"" + alice + "\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void keysOfOtherRecords_areNotLearned_butTokensAre() {
        String ours = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        String theirs = "9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d";
        replies.json("{\"id\":\"" + ours + "\",\"a\":1}", "{\"id\":\"" + theirs + "\",\"a\":2}");
        assertThat(replies.identities.debugValueOf(ours)).isNull();
        replies.json("{\"id\":\"" + ours + "\",\"a\":1}", "{\"id\":\"" + theirs + "\",\"a\":1}");
        assertThat(replies.identities.debugValueOf(ours)).isEqualTo(theirs);

        String token = "kT3vQ9xZ2mB7nL5pR8wY4c";
        String other = "Zp7Hd2Kq9Wm4Xv6Ts1Ra8b";
        replies.json("{\"token\":\"" + token + "\",\"a\":1}", "{\"token\":\"" + other + "\",\"a\":2}");
        assertThat(replies.identities.debugValueOf(token)).isEqualTo(other);
    }

    @Test
    void identityOfABody_explainsTheHeadersOfTheSameReply() {
        String ours = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        String theirs = "9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d";
        String reply = "HTTP/1.1 201 Created\r\nLocation: /orders/%s\r\nContent-Type: application/json\r\n"
                + "Content-Length: 45\r\n\r\n{\"id\":\"%s\"}";
        assertThat(replies.compare(reply.replace("%s", ours), reply.replace("%s", theirs))
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.compare(reply.replace("%s", theirs), reply.replace("%s", ours))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void identity_standsForOneValueOnly() {
        String ours = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        String theirs = "9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d";
        String other = "c56a4180-65aa-42ec-a945-5fd21dec0538";
        assertThat(replies.json("[\"" + ours + "\"]", "[\"" + theirs + "\"]").kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.json("[\"" + ours + "\"]", "[\"" + other + "\"]").kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.json("[\"" + other + "\"]", "[\"" + theirs + "\"]").kind())
                .isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"a\":2} | {\"a\":2,\"a\":1}",
                "{\"a\":1,\"a\":2} | {\"a\":1, \"a\":2}",
                "{\"a\":1} | {\"a\":1}}",
                "{\"a\":1} | {\"a\":1} {}",
                "{\"a\":1} | {\"a\":1",
                "{\"a\":nan} | {\"a\": nan}",
                "{\"a\":01} | {\"a\": 01}",
                "{'a':1} | {'a': 1}",
                "{\"a\":1} | {\"a\":1} // x",
            })
    void whatIsNotExactlyOneJsonText_isComparedAsText(String production, String debug) {
        assertThat(replies.json(production, debug).kind()).isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NaN | 1",
                "NaN | \"NaN\"",
                "NaN | null",
                "Infinity | -Infinity",
                "Infinity | NaN",
                "1 | -Infinity",
            })
    void numbersThatAreNone_areTold_atTheirOwnPath(String production, String debug) {
        Verdict verdict = replies.json("{\"n\":1,\"a\":" + production + "}", "{\"n\":1, \"a\":" + debug + "}");

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences()).extracting(Difference::path).contains("body.a");
        assertThat(replies.json("{\"a\":" + production + "}", "{\"a\": " + production + "}")
                        .kind())
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void deepNestingAndHugeNumbers_areComparedAsBytes() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThat(replies.json(deep, deep).kind()).isEqualTo(VerdictKind.SAME);
        assertThat(replies.json(deep, " " + deep).kind()).isEqualTo(DIFFERENT);
        String huge = "9".repeat(100_000);
        assertThat(replies.json("[" + huge + "]", "[ " + huge + "]").kind()).isEqualTo(DIFFERENT);
        assertThat(replies.json("[1e999999999]", "[ 1e999999999]").kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.json("[1e999999999]", "[1e999999998]").kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void manyDifferences_areCutToTheFirst() {
        String ours = "[" + "1,".repeat(5000) + "1]";
        String theirs = "[" + "2,".repeat(5000) + "2]";
        assertThat(replies.json(ours, theirs).differences()).hasSize(50);
    }

    @Test
    void manyNoisyValues_doNotHideARealOne() {
        StringBuilder ours = new StringBuilder("[");
        StringBuilder theirs = new StringBuilder("[");
        for (int i = 0; i < 500; i++) {
            ours.append("1772625600,");
            theirs.append("1772625780,");
        }
        Verdict verdict = replies.json(ours + "1]", theirs + "2]");
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences().get(0).path()).isEqualTo("body[500]");
    }

    @Test
    void nestedSecrets_areNotShown() {
        Verdict verdict = replies.json("{\"user\":{\"password\":\"hunter2\"}}", "{}");
        assertThat(verdict.differences().toString()).doesNotContain("hunter2");
    }
}
