package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static org.assertj.core.api.Assertions.assertThat;

/** XML bodies and forms: by what they say, not by how they are written. */
class XmlComparisonTest {
    private static final String ORDER = "<order id='7' state='open'><customer>Ann</customer>"
            + "<line sku='a1'>2</line><line sku='b2'>5</line><note/><total>19.90</total></order>";

    private final Replies replies = new Replies();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<a b='1' c='2'/> | <a c=\"2\" b=\"1\"></a>",
                "<a><b>x</b></a> | <a>\t<b>x</b>  </a>",
                "<a><b>x&lt;y</b></a> | <a><b><![CDATA[x<y]]></b></a>",
                "<a><b>x</b></a> | <?xml version='1.0' encoding='UTF-8'?><a><!-- new --><b>x</b></a>",
                "<p:a xmlns:p='urn:x'><p:b/></p:a> | <a xmlns='urn:x'><b/></a>",
                "<a><b>&#65;</b></a> | <a><b>A</b></a>",
            })
    void otherSpelling_isEquivalent(String production, String debug) {
        assertNoise(xml(production, debug), Noise.CONTENT_FORM);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<a><at>2026-03-04T12:00:00.12Z</at></a> | <a><at>2026-03-04T12:03:00.123Z</at></a> | EXCHANGE_TIME",
                "<a at='2026-03-04T12:00:00Z'/> | <a at='2026-03-04T12:03:00Z'/> | EXCHANGE_TIME",
                "<a><csrf>kT3vQ9xZ2mB7nL5pR8wY4c</csrf></a> | <a><csrf>Zp7Hd2Kq9Wm4Xv6Ts1Ra8b</csrf></a> | IDENTITY",
            })
    void noise_isEquivalent(String production, String debug, Noise noise) {
        assertNoise(xml(production, debug), noise);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<a><b>1</b></a> | <a><b>2</b></a> | body.a.b | VALUE",
                "<a><b>1</b></a> | <a><b> 1</b></a> | body.a.b | VALUE",
                "<a><b>1</b></a> | <a><b>1.0</b></a> | body.a.b | VALUE",
                "<a b='1'/> | <a b='2'/> | body.a[\"@b\"] | VALUE",
                "<a b='1' c='1'/> | <a c='1'/> | body.a[\"@b\"] | MISSING",
                "<a c='1'/> | <a b='1' c='1'/> | body.a[\"@b\"] | EXTRA",
                "<a><b/><c/></a> | <a><b/></a> | body.a.c | MISSING",
                "<a><b/><c/></a> | <a><c/><b/></a> | body.a[\"#order\"] | VALUE",
                "<a><b>1</b><b>2</b></a> | <a><b>2</b><b>1</b></a> | body.a.b | ORDER",
                "<a><b>1</b><b>2</b></a> | <a><b>1</b></a> | body.a.b | LENGTH",
                "<a><b>1</b><b>2</b></a> | <a><b>1</b><b>3</b></a> | body.a.b[1] | VALUE",
                "<a><b><c>1</c></b></a> | <a><b>1</b></a> | body.a.b | TYPE",
                "<a/> | <b/> | body.a | MISSING",
                "<a xmlns='urn:x'/> | <a xmlns='urn:y'/> | body.a[\"#namespace\"] | VALUE",
                "<a><?show x?><b/></a> | <a><?show y?><b/></a> | body.a[\"?show\"] | VALUE",
            })
    void whatMatters_isDifferent(String production, String debug, String path, Difference.Type type) {
        Verdict verdict = xml(production, debug);

        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(DIFFERENT);
        assertThat(verdict.differences())
                .anyMatch(difference ->
                        difference.path().equals(path) && difference.type() == type && difference.noise() == null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<p>one <b>two</b></p> | <p>one  <b>two</b></p>",
                "<a xml:space='preserve'><b/> </a> | <a xml:space='preserve'><b/></a>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a> | <!DOCTYPE a [<!ENTITY e 'y'>]><a>&e;</a>",
                "<?xml-stylesheet href='a'?><a/> | <?xml-stylesheet href='b'?><a/>",
                "<a><b></a> | <a><b></b></a>",
                "<a/> x | <a/>",
            })
    void whatIsNoData_isComparedAsText(String production, String debug) {
        assertThat(xml(production, debug).kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void anyChange_isDifferent() {
        List<String> tokens = List.of("7", "open", "Ann", "a1", "2", "b2", "5", "19.90");
        List<String> names = List.of("customer", "line", "note", "total", "order", "sku", "state", "id");
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            String changed = ORDER;
            if (random.nextBoolean()) {
                String token = tokens.get(random.nextInt(tokens.size()));
                changed = changed.replaceFirst(
                        "(?<=['>])" + token.replace(".", "\\.") + "(?=['<])",
                        token + (char) ('a' + random.nextInt(26)));
            } else {
                changed = changed.replace(names.get(random.nextInt(names.size())), "other");
            }
            Verdict verdict = xml(ORDER, spelledDifferently(changed, random));

            assertThat(verdict.kind()).as("seed %d: %s", seed, changed).isEqualTo(DIFFERENT);
        }
    }

    @Test
    void otherSpellingOfAnOrder_isEquivalent() {
        for (int seed = 0; seed < 500; seed++) {
            String other = spelledDifferently(ORDER, new Random(seed));
            assertThat(other.equals(ORDER) ? EQUIVALENT : xml(ORDER, other).kind())
                    .as("seed %d: %s", seed, other)
                    .isEqualTo(EQUIVALENT);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1&b=x+y | b=x%20y&a=1 | EQUIVALENT",
                "a=1&a=2&b=3 | a=1&b=3&a=2 | EQUIVALENT",
                "a=1&a=2 | a=2&a=1 | DIFFERENT",
                "a=1 | a=2 | DIFFERENT",
                "a=1 | a=1&b= | DIFFERENT",
                "a=1 | a=1&a=1 | DIFFERENT",
                "a=%41 | a=%4 | DIFFERENT",
                "a=%ff | a=%fe | DIFFERENT",
                "token=kT3vQ9xZ2mB7nL5pR8wY4c | token=Zp7Hd2Kq9Wm4Xv6Ts1Ra8b | EQUIVALENT",
            })
    void forms_areComparedByField(String production, String debug, VerdictKind kind) {
        String type = "application/x-www-form-urlencoded";
        Verdict verdict = replies.compare(Replies.ok(type, production), Replies.ok(type, debug));

        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(kind);
    }

    private static String spelledDifferently(String text, Random random) {
        String spelled = random.nextBoolean() ? text.replace("'", "\"") : text;
        spelled = random.nextBoolean() ? spelled.replace("><", ">\n  <").replace(">\n  </line", "></line") : spelled;
        spelled = random.nextBoolean() ? spelled.replace("<total", "<!-- sum --><total") : spelled;
        return random.nextBoolean() ? "<?xml version='1.0'?>" + spelled : spelled;
    }

    private Verdict xml(String production, String debug) {
        return replies.compare(Replies.ok("application/xml", production), Replies.ok("application/xml", debug));
    }

    private static void assertNoise(Verdict verdict, Noise noise) {
        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(EQUIVALENT);
        assertThat(verdict.differences()).anyMatch(difference -> difference.noise() == noise);
    }
}
