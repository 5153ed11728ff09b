package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FormRuleTest {
    private static final String JSON = "application/json; charset=utf-8";

    @Test
    void listedHeader_countsAndNoOther() {
        FormRule rule = new FormRule(List.of("X-Tenant"), List.of(), List.of());

        assertThat(form(rule, "/a", "", "x-tenant", "1")).isNotEqualTo(form(rule, "/a", "", "x-tenant", "2"));
        assertThat(form(rule, "/a", "", "accept", "1")).isEqualTo(form(rule, "/a", "", "accept", "2"));
        assertThat(form(FormRule.DEFAULT, "/a", "", "x-tenant", "1"))
                .isEqualTo(form(FormRule.DEFAULT, "/a", "", "x-tenant", "2"));
    }

    @ParameterizedTest
    @CsvSource({
        "/a?ts=1&b=2, /a?b=2&ts=9",
        "/a?ts=1, /a",
        "/a?utm_source=x&b=2&utm_medium=y, /a?b=2",
        "/a?ts&b=2, /a?b=2"
    })
    void ignoredParameter_doesNotCount(String one, String other) {
        FormRule rule = new FormRule(FormRule.HEADERS, List.of("ts", "utm_*"), List.of());

        assertThat(form(rule, one, "")).isEqualTo(form(rule, other, ""));
        assertThat(form(FormRule.DEFAULT, one, "")).isNotEqualTo(form(FormRule.DEFAULT, other, ""));
    }

    @ParameterizedTest
    @CsvSource({"/a?b=1, /a?b=2", "/a?b=1&b=2, /a?b=2&b=1", "/a?tss=1, /a?tss=2", "/ts?b, /ts?c", "/a?TS=1, /a?TS=2"})
    void otherParameters_countInTheirOrder(String one, String other) {
        FormRule rule = new FormRule(FormRule.HEADERS, List.of("ts"), List.of());

        assertThat(form(rule, one, "")).isNotEqualTo(form(rule, other, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id          | {\"id\":1,\"a\":2}                     | {\"a\":2,\"id\":\"x\"}",
                "$.o.at      | {\"o\":{\"at\":1,\"b\":[1]}}           | {\"o\":{\"b\":[1]}}",
                "items[*].id | {\"items\":[{\"id\":1},{\"id\":2}]}    | {\"items\":[{\"id\":3},{}]}",
                "items[1]    | {\"items\":[1,2]}                      | {\"items\":[1,5]}",
                "*.id        | {\"x\":{\"id\":1},\"y\":{\"id\":1}}    | {\"x\":{\"id\":2},\"y\":{\"id\":2}}",
                "[\"a.b\"]   | {\"a.b\":1}                            | { \"a.b\" : 2 }"
            })
    void ignoredJson_doesNotCount(String path, String one, String other) {
        FormRule rule = ignoring(path);

        assertThat(form(rule, "/a", one, "content-type", JSON))
                .isEqualTo(form(rule, "/a", other, "content-type", JSON));
        assertThat(form(rule, "/a", one, "content-type", "text/plain"))
                .isNotEqualTo(form(rule, "/a", other, "content-type", "text/plain"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1}          | {\"a\":1.0}",
                "{\"a\":\"1\"}      | {\"a\":1}",
                "[1,2]              | [2,1]",
                "[\"x\",\"y\"]      | [\"x\",[\"y\"]]",
                "{\"a\":null}       | {\"a\":false}",
                "{\"a\":1           | {\"a\":1,",
                "{}                 | []",
                "{\"o\":{\"id\":1}} | {\"o\":{\"id\":2}}"
            })
    void otherJson_counts(String one, String other) {
        FormRule rule = ignoring("id");

        assertThat(form(rule, "/a", one, "content-type", JSON))
                .isNotEqualTo(form(rule, "/a", other, "content-type", JSON));
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 102})
    void jsonThatIsChangedSomewhereElse_isAnotherForm(long seed) {
        Random random = new Random(seed);
        FormRule rule = ignoring("id");
        for (int round = 0; round < 2_000; round++) {
            String body = "{\"id\":%d,\"list\":[%d,{\"name\":\"n%d\"}]}"
                    .formatted(random.nextInt(9), random.nextInt(9), random.nextInt(9));
            byte[] changed = body.getBytes(StandardCharsets.ISO_8859_1);
            int at = body.indexOf("list") + random.nextInt(body.length() - body.indexOf("list"));
            changed[at] = (byte) (' ' + random.nextInt(95));
            String other = new String(changed, StandardCharsets.ISO_8859_1);
            if (!Arrays.equals(counted(changed, rule), counted(body.getBytes(StandardCharsets.ISO_8859_1), rule))) {
                assertThat(form(rule, "/a", other, "content-type", JSON))
                        .as("seed %d: %s and %s", seed, body, other)
                        .isNotEqualTo(form(rule, "/a", body, "content-type", JSON));
            } else {
                assertThat(other.replaceAll("\\s", "")).as("seed %d", seed).isEqualTo(body);
            }
        }
    }

    @Test
    void bodyThatIsTooLongOrEncoded_countsAsAWhole() {
        FormRule rule = ignoring("id");
        String padding = " ".repeat(BodySpelling.LONGEST);

        assertThat(form(rule, "/a", "{\"id\":1}" + padding, "content-type", JSON))
                .isNotEqualTo(form(rule, "/a", "{\"id\":2}" + padding, "content-type", JSON));
        assertThat(form(rule, "/a", "{\"id\":1}", "content-type", JSON, "content-encoding", "gzip"))
                .isNotEqualTo(form(rule, "/a", "{\"id\":2}", "content-type", JSON, "content-encoding", "gzip"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$", "a..b", "a[", "a[x]", "a b", "[\"a]", "..a"})
    void malformedPath_isRefused(String path) {
        assertThatThrownBy(() -> JsonPath.of(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void text_saysWhatCounts() {
        FormRule rule = new FormRule(List.of("Accept"), List.of("ts"), List.of(JsonPath.of("$.id")));

        assertThat(rule.text())
                .isEqualTo("method; target without parameters ts; headers accept; body, of JSON without $.id");
        assertThat(new FormRule(List.of(), List.of(), List.of(), false).text())
                .isEqualTo("method; target; no header; body; byte by byte");
    }

    private static byte @Nullable [] counted(byte[] body, FormRule rule) {
        JsonForm.Counted counted = JsonForm.counted(body, rule.ignoreJson(), true, false);
        return counted == null ? null : counted.bytes();
    }

    private static FormRule ignoring(String path) {
        return new FormRule(FormRule.HEADERS, List.of(), List.of(JsonPath.of(path)));
    }

    private static Form form(FormRule rule, String target, String body, String... headers) {
        return HttpFormsTest.form(rule, "POST", target, body, headers);
    }
}
