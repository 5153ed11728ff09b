package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class EqualMeaningTest {
    private static final FormRule BYTES = new FormRule(FormRule.HEADERS, List.of(), List.of(), false);
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    @ParameterizedTest
    @CsvSource({
        "/a?b=1&c=2, /a?c=2&b=1",
        "/a?b=1&c=2&b=3, /a?b=1&b=3&c=2",
        "/a?q=x%20y, /a?q=x+y",
        "/a?q=%c3%a9, /a?q=%C3%A9",
        "/a?q=%7Ex%2d, /a?q=~x-",
        "/caf%c3%a9, /caf%C3%A9",
        "/%7euser, /~user",
        "/a?%71=1, /a?q=1",
    })
    void targetOfEqualMeaning_isTheSame(String one, String other) {
        assertThat(get(FormRule.DEFAULT, one)).isEqualTo(get(FormRule.DEFAULT, other));
        assertThat(get(BYTES, one)).isNotEqualTo(get(BYTES, other));
    }

    @ParameterizedTest
    @CsvSource({
        "/a?b=1&b=2, /a?b=2&b=1",
        "/a?b=1&c=2, /a?b=2&c=1",
        "/a?b=1&c=2, /a?b=1%26c=2",
        "/a?b=1, /a?b%3D1",
        "/a?b=, /a?b",
        "/a?b=1&b=1, /a?b=1",
        "/a?b=x+y, /a?b=x%2By",
        "/a+b, /a%20b",
        "/a%2Fb, /a/b",
        "/a%3Fb, /a?b",
        "/a%252e, /a%2e",
        "/a?b=%zz, /a?b=%25zz",
        "/a?b=%7e%, /a?b=~%",
        "/a?b=%%341, /a?b=%41",
        "/a?, /a",
        "/a?&b=1, /a?b=1",
        "/A?b=1, /a?b=1",
    })
    void targetOfOtherMeaning_isAnother(String one, String other) {
        assertThat(get(FormRule.DEFAULT, one)).isNotEqualTo(get(FormRule.DEFAULT, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"b\":2}                 | {\"b\":2,\"a\":1}",
                "{\"a\":{\"x\":1,\"y\":[{\"p\":1,\"q\":2}]}} | { \"a\" : {\"y\":[{\"q\":2,\"p\":1}], \"x\":1} }",
                "{\"a\":\"\\u00e9\\/\"}            | {\"a\":\"é/\"}",
            })
    void jsonOfEqualMeaning_isTheSame(String one, String other) {
        for (String type : List.of(JSON, "application/vnd.shop+json", "application/json; charset=UTF-8")) {
            assertThat(post(FormRule.DEFAULT, type, one)).isEqualTo(post(FormRule.DEFAULT, type, other));
            assertThat(post(BYTES, type, one)).isNotEqualTo(post(BYTES, type, other));
        }
        assertThat(post(FormRule.DEFAULT, "text/plain", one)).isNotEqualTo(post(FormRule.DEFAULT, "text/plain", other));
        String latin = "application/json; charset=iso-8859-1";
        assertThat(post(FormRule.DEFAULT, latin, one)).isNotEqualTo(post(FormRule.DEFAULT, latin, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":[1,2]}               | {\"a\":[2,1]}",
                "{\"a\":1,\"b\":2}           | {\"a\":2,\"b\":1}",
                "{\"a\":1,\"a\":2}           | {\"a\":2,\"a\":1}",
                "{\"a\":1,\"a\":2}           | {\"a\":2}",
                "{\"a\":{\"b\":1},\"c\":2}   | {\"a\":{\"b\":1,\"c\":2}}",
                "{\"a\":\"\\ud800\"}         | {\"a\":\"\\ud801\"}",
                "{\"a\":\"\\ud800\"}         | {\"a\":\"?\"}",
                "{\"a\":1,\"b\":2            | {\"b\":2,\"a\":1",
                "{\"a\":1}{\"b\":2}          | {\"b\":2}{\"a\":1}",
                "{\"a\":1.0}                 | {\"a\":1}",
                "{\"a\":NaN,\"b\":1}         | {\"b\":1,\"a\":NaN}",
            })
    void jsonOfOtherMeaning_isAnother(String one, String other) {
        assertThat(post(FormRule.DEFAULT, JSON, one)).isNotEqualTo(post(FormRule.DEFAULT, JSON, other));
    }

    @Test
    void jsonInLines_isTheSameLineByLine_inTheirOrder() {
        String one = "{\"index\":{\"_id\":1,\"_index\":\"x\"}}\n{\"a\":1,\"b\":2}\n";
        String same = "{\"index\":{\"_index\":\"x\",\"_id\":1}}\n{\"b\":2,\"a\":1}\n";
        String swapped = "{\"a\":1,\"b\":2}\n{\"index\":{\"_id\":1,\"_index\":\"x\"}}\n";
        for (String type : List.of("application/x-ndjson", JSON)) {
            Form form = post(FormRule.DEFAULT, type, one);
            assertThat(post(FormRule.DEFAULT, type, same)).isEqualTo(form);
            assertThat(post(FormRule.DEFAULT, type, swapped)).isNotEqualTo(form);
            assertThat(post(FormRule.DEFAULT, type, one.stripTrailing()))
                    .as("Elasticsearch wants the last line's end")
                    .isNotEqualTo(form);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query A($id:ID!){a(id:$id,n:-1.5e+3){b,c ...F}} | query A($id: ID!) { # all\\n a(id: $id n: -1.5e+3) {b c ... F}}",
                "{a(s:\\\"x  y\\\")}                              | { a ( s : \\\"x  y\\\" ) }",
            })
    void graphQlOfEqualTokens_isTheSame(String one, String other) {
        String first = "{\"query\":\"" + one + "\",\"variables\":{\"id\":1}}";
        String second = "{\"variables\":{\"id\":1},\"query\":\"" + other + "\"}";

        assertThat(graphQl("/v1/graphql?x=1", second)).isEqualTo(graphQl("/v1/graphql?x=1", first));
        assertThat(graphQl("/graphql", "[" + second + "]")).isEqualTo(graphQl("/graphql", "[" + first + "]"));
        assertThat(graphQl("/search", second)).isNotEqualTo(graphQl("/search", first));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a b}                    | {b a}",
                "{a b}                    | {ab}",
                "{a(s:\\\"x  y\\\")}      | {a(s:\\\"x y\\\")}",
                "{a(s:\\\"x#y\\\")}       | {a(s:\\\"x#z\\\")}",
                "{a(s:\\\"x, y\\\")}      | {a(s:\\\"x y\\\")}",
                "{a(s:\\\"\\\"\\\" x \\\"\\\"\\\")} | {a(s:\\\"\\\"\\\"x\\\"\\\"\\\")}",
                "{a(n:1 m:2)}             | {a(n:12 m:)}",
                "{a % b}                  | {a  % b}",
                "{a(s:\\\"x)}             | {a (s:\\\"x)}",
            })
    void graphQlOfOtherTokens_isAnother(String one, String other) {
        assertThat(graphQl("/graphql", "{\"query\":\"" + other + "\"}"))
                .isNotEqualTo(graphQl("/graphql", "{\"query\":\"" + one + "\"}"));
    }

    @Test
    void graphQlThatNeverEnds_throwsNothing() {
        for (String odd :
                List.of("\\\"", "\\\"\\\\", "\\\"\\\"\\\"", "-", "..", "#", "{", "\\\"\\\"\\\"\\\\\\\"\\\"\\\"")) {
            String body = "{\"query\":\"" + odd.repeat(3) + "\"}";
            assertThat(graphQl("/graphql", body)).as(odd).isEqualTo(graphQl("/graphql", body));
        }
        assertThat(graphQl("/graphql", "{\"query\":7}")).isNotEqualTo(graphQl("/graphql", "{\"query\":\"7\"}"));
    }

    private static Form graphQl(String target, String body) {
        return HttpFormsTest.form(FormRule.DEFAULT, "POST", target, body, "Content-Type", JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<o b='2' a=\"1\"><i/></o>",
                "<o\n  a = \"1\"\n  b = '2' ><i /></o>",
                "<o b=\"2\" a='1'><i></i></o>",
            })
    void xmlOfEqualMeaning_isTheSame_butForWhatIsBetweenTags(String other) {
        String one = "<o a=\"1\" b=\"2\"><i/></o>";
        for (String type : List.of("text/xml; charset=utf-8", "application/soap+xml")) {
            assertThat(post(FormRule.DEFAULT, type, other).equals(post(FormRule.DEFAULT, type, one)))
                    .isEqualTo(!other.contains("</i>"));
            assertThat(post(BYTES, type, other)).isNotEqualTo(post(BYTES, type, one));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<o a=\"1\" b=\"2\"/>                    | <o a=\"2\" b=\"1\"/>",
                "<o><a/><b/></o>                             | <o><b/><a/></o>",
                "<o a=\"1\"><i b=\"2\"/></o>             | <o b=\"2\"><i a=\"1\"/></o>",
                "<o>a b</o>                                  | <o>a  b</o>",
                "<o a=\"x  y\"/>                           | <o a=\"x y\"/>",
                "<o a='\"' b=\"1\"/>                      | <o a=\"'\" b=\"1\"/>",
                "<o><!-- a=\"1\" b=\"2\" --></o>         | <o><!-- b=\"2\" a=\"1\" --></o>",
                "<o><![CDATA[<i a='1' b='2'/>]]></o>         | <o><![CDATA[<i b='2' a='1'/>]]></o>",
                "<?p a='1' b='2'?><o/>                       | <?p b='2' a='1'?><o/>",
                "<!DOCTYPE o [<!ENTITY a 'b'>]><o a='1' b='2'/> | <!DOCTYPE o [<!ENTITY a 'b'>]><o b='2' a='1'/>",
                "<o a='1' b='2'                              | <o b='2' a='1'",
                "<o a='1'b='2'/>                             | <o b='2'a='1'/>",
                "<o a b='2'/>                                | <o b='2' a/>",
                "<o a='1' a='2'/>                            | <o a='2' a='1'/>",
                "<o xmlns:p=\"x\" xmlns:q=\"y\" t=\"p:a\"/> | <o xmlns:p=\"y\" xmlns:q=\"x\" t=\"p:a\"/>",
            })
    void xmlOfOtherMeaning_isAnother(String one, String other) {
        assertThat(post(FormRule.DEFAULT, "text/xml", one)).isNotEqualTo(post(FormRule.DEFAULT, "text/xml", other));
    }

    @ParameterizedTest
    @CsvSource({
        "page=1&size=20&sort=name, sort=name&page=1&size=20",
        "a=x+y, a=x%20y",
        "a=%2f, a=/",
        "a=1&b=2&a=3, b=2&a=1&a=3",
    })
    void formOfEqualMeaning_isTheSame(String one, String other) {
        assertThat(post(FormRule.DEFAULT, FORM, one)).isEqualTo(post(FormRule.DEFAULT, FORM, other));
        assertThat(post(BYTES, FORM, one)).isNotEqualTo(post(BYTES, FORM, other));
    }

    @ParameterizedTest
    @CsvSource({
        "a=1&a=2, a=2&a=1",
        "a=1&b=2, a=2&b=1",
        "a=1&b=2, a=1%26b%3D2",
        "a=%zz&b=1, b=1&a=%zz",
        "a=%zz, a=%25zz",
        "a, a=",
        "a=é&b=1, a=e&b=1",
    })
    void formOfOtherMeaning_isAnother(String one, String other) {
        assertThat(post(FormRule.DEFAULT, FORM, one)).isNotEqualTo(post(FormRule.DEFAULT, FORM, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept-Encoding | gzip,br                   | gzip, br",
                "Accept          | text/html;q=0.5,*/*       | text/html; q=0.5 , */*",
                "Content-Type    | text/plain;charset=utf-8  | text/plain; charset=utf-8",
                "If-None-Match   | \"a, b\",\"c\"            | \"a, b\" ,  \"c\"",
                "Range           | bytes=0-1,4-5             | bytes=0-1, 4-5",
                "Cookie          | a=1; b=2                  | b=2;a=1",
            })
    void headerOfEqualMeaning_isTheSame(String name, String one, String other) {
        assertThat(get(FormRule.DEFAULT, "/a", name, one)).isEqualTo(get(FormRule.DEFAULT, "/a", name, other));
        assertThat(get(BYTES, "/a", name, one)).isNotEqualTo(get(BYTES, "/a", name, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept-Encoding | gzip,br                     | br,gzip",
                "Accept          | text/html                   | text / html",
                "If-None-Match   | \"a, b\"                    | \"a,b\"",
                "If-None-Match   | \"a\\\", \"b , c\"          | \"a\\\", \"b,c\"",
                "Authorization   | Digest a=1, b=2             | Digest a=1,b=2",
                "Cookie          | a=1; a=2                    | a=2; a=1",
                "Cookie          | a=\"1; b=2\"; c=3           | c=3; a=\"1; b=2\"",
            })
    void headerOfOtherMeaning_isAnother(String name, String one, String other) {
        assertThat(get(FormRule.DEFAULT, "/a", name, one)).isNotEqualTo(get(FormRule.DEFAULT, "/a", name, other));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void membersAndParameters_inAnyOrder_areTheSame_andNoOtherValueIs(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(8); i++) {
                names.add("n" + i);
            }
            List<String> members = names.stream()
                    .map(name -> "\"" + name + "\":" + random.nextInt(99))
                    .toList();
            List<String> shuffled = new ArrayList<>(members);
            Collections.shuffle(shuffled, random);
            String one = "{" + String.join(",", members) + "}";
            String other = "{" + String.join(",", shuffled) + "}";
            assertThat(post(FormRule.DEFAULT, JSON, other))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(post(FormRule.DEFAULT, JSON, one))
                    .isNotEqualTo(post(FormRule.DEFAULT, JSON, other.replaceFirst(":", ":1")));
            String query = "/a?" + String.join("&", members).replace("\"", "").replace(':', '=');
            String mixed = "/a?" + String.join("&", shuffled).replace("\"", "").replace(':', '=');
            assertThat(get(FormRule.DEFAULT, mixed))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(get(FormRule.DEFAULT, query))
                    .isNotEqualTo(get(FormRule.DEFAULT, mixed.replaceFirst("=", "=1")));
        }
    }

    @Test
    void hostileText_countsByItsBytes_inTimeInProportion() {
        String deep = "[".repeat(300_000);
        String many = "[" + "1,".repeat(300_000) + "1]";
        String members = "{\"a\":1,\"b\":" + many + "}";
        String swapped = "{\"b\":" + many + ",\"a\":1}";
        String parameters = "b&".repeat(ParameterList.MOST) + "a=1";
        String tags = "<o" + " a='1'".repeat(60_000);
        String blanks = "a" + " ".repeat(60_000) + "b" + ",\t ".repeat(1_000);

        assertThat(post(FormRule.DEFAULT, JSON, deep)).isEqualTo(post(FormRule.DEFAULT, JSON, deep));
        assertThat(post(FormRule.DEFAULT, JSON, deep)).isNotEqualTo(post(FormRule.DEFAULT, JSON, deep + "["));
        assertThat(post(FormRule.DEFAULT, JSON, members)).isNotEqualTo(post(FormRule.DEFAULT, JSON, swapped));
        assertThat(post(FormRule.DEFAULT, FORM, parameters))
                .isNotEqualTo(post(FormRule.DEFAULT, FORM, "a=1&" + "b&".repeat(ParameterList.MOST)));
        assertThat(get(FormRule.DEFAULT, "/a?" + parameters)).isEqualTo(get(FormRule.DEFAULT, "/a?" + parameters));
        assertThat(post(FormRule.DEFAULT, "text/xml", tags))
                .isNotEqualTo(post(FormRule.DEFAULT, "text/xml", tags + " "));
        assertThat(get(FormRule.DEFAULT, "/a", "Accept", blanks))
                .isEqualTo(get(FormRule.DEFAULT, "/a", "Accept", blanks));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void damagedText_isLikeNoOther_unlessItMeansTheSame(long seed) {
        Random random = new Random(seed);
        String body = "a=%41&b=x+y&c=%e9";
        for (int round = 0; round < 2_000; round++) {
            StringBuilder changed = new StringBuilder(body);
            changed.setCharAt(random.nextInt(body.length()), (char) (' ' + random.nextInt(95)));
            boolean same = Objects.equals(ParameterList.ofForm(changed.toString()), ParameterList.ofForm(body));
            assertThat(post(FormRule.DEFAULT, FORM, changed.toString()).equals(post(FormRule.DEFAULT, FORM, body)))
                    .as("seed %d: %s", seed, changed)
                    .isEqualTo(same);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void damagedXml_throwsNothing_andIsLikeNoOther(long seed) {
        Random random = new Random(seed);
        String body = "<o b='2' a=\"1\"><i c='3'/><![CDATA[x]]><!-- y --></o>";
        for (int round = 0; round < 3_000; round++) {
            StringBuilder changed = new StringBuilder(body);
            int at = random.nextInt(body.length());
            changed.setCharAt(at, (char) random.nextInt(128));
            boolean blank = body.charAt(at) == ' ' && "\t\r\n".indexOf(changed.charAt(at)) >= 0;
            assertThat(post(FormRule.DEFAULT, "text/xml", changed.toString())
                            .equals(post(FormRule.DEFAULT, "text/xml", body)))
                    .as("seed %d: %s", seed, changed)
                    .isEqualTo(changed.toString().equals(body) || (blank && at < body.indexOf("<![CDATA[")));
        }
    }

    @Test
    void outline_namesWhatDiffers_byPathAndWithoutValues() {
        RequestOutline asked = outline("/p?page=1&q=x", "{\"items\":[{\"sku\":\"A\"},{\"sku\":\"s3cret\"}],\"n\":1}");
        RequestOutline recorded = outline("/p?q=y", "{\"n\":1,\"m\":2,\"items\":[{\"sku\":\"A\"},{\"sku\":\"C\"}]}");

        assertThat(asked.differences(recorded))
                .containsExactly("query.page (not recorded)", "query.q", "body.items[1].sku", "body.m (not asked)");
        assertThat(asked.differences(asked)).isEmpty();
    }

    @Test
    void outline_hasNoControlCharacters() {
        assertThat(outline("/p", "{\"a\\u001b[2J\\n\":1}").differences(outline("/p", "{}")))
                .contains("body.a.[2J. (not recorded)");
    }

    @Test
    void outlineOfManyParts_isBounded() {
        String many = "[" + "1,".repeat(10_000) + "1]";

        assertThat(outline("/p", many).differences(outline("/p", "[]"))).hasSizeLessThan(RequestOutline.MOST + 3);
        assertThat(outline("/p", many).differences(outline("/p", many.replaceFirst("1]", "2]"))))
                .containsExactly("…");
    }

    private static RequestOutline outline(String target, String body) {
        return Objects.requireNonNull(HttpFormsTest.form(FormRule.DEFAULT, "POST", target, body, "Content-Type", JSON)
                .outline());
    }

    private static Form get(FormRule rule, String target, String... headers) {
        return HttpFormsTest.form(rule, "GET", target, "", headers);
    }

    private static Form post(FormRule rule, String type, String body) {
        return HttpFormsTest.form(rule, "POST", "/a", body, "Content-Type", type);
    }
}
