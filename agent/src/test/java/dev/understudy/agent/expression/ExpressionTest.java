package dev.understudy.agent.expression;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Hostile;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.value.ValueFault;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ExpressionTest {
    private static final Fields FIELDS = new Fields(closed -> {});

    private static final String[] PIECES = ("a this . size ( ) [ ] && || ! == < + - * / % 'x' 1 2.5 null true "
                    + ".matches('(a+)+b') { } \" ' items [0] .name" + " this.map['a']")
            .split(" ");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1 + 2 * 3 - 4 / 2 ; 5",
                "(1 + 2) * 3 % 5 ; 4",
                "-2 - -3 ; 1",
                "7 / 2.0 ; 3.5",
                "1 < 2 && !(2 < 1) || false ; true",
                "'a' < 'b' ; true",
                "'a' + 1 + null ; a1null",
                "price == 10.5 ; true",
                "price > 10 ; true",
                "big == 7 ; true",
                "this.id == 7 ; true",
                "this.name == 'tea' ; true",
                "this.name != \"tea\" ; false",
                "this.colour == 'RED' ; true",
                "this.colour.name ; RED",
                "this.self == this ; true",
                "this.items.size ; 3",
                "items.length ; 2",
                "items[1] ; 4",
                "items[-1 + 1] == 3 ; true",
                "this.items[2] ; c",
                "this.map['a'] ; 1",
                "this.map['none'] ; null",
                "this.name.contains('e') && this.name.startsWith('t') && this.name.endsWith('a') ; true",
                "this.name.matches('t.a') ; true",
                "this.name.matches('t') ; false",
                "this.name.length ; 3",
                "this.class ; dev.understudy.agent.value.Hostile",
                "exception.message ; late",
                "none.a.b[3].size ; null",
                "none == null && this != null ; true",
                "built == 'tea' && built.size == 3 && built.contains('e') ; true",
                "built + 's' ; teas",
                "huge.size ; 10001",
                "held.id + 1 ; 8",
                "held.name == 'tea' ; true",
                "nothing == null && nothing.size == null ; true",
                "adder > 41 ; true",
                "slots[1] + slots.size ; 4",
                "false && none.size > 3 ; false",
                "true || none > 3 ; true",
                "'it\\'s \\d' ; it's \\d"
            })
    void anExpression_hasTheValue(String text, String expected) throws Exception {
        assertThat(String.valueOf(evaluate(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "none > 3 ; null can't be compared with a number",
                "1 && true ; a number isn't true or false",
                "!none ; null isn't true or false",
                "this.nothing ; an object of Hostile has no nothing",
                "this.own.size ; an object of Hostile$Size has no size",
                "this == 'tea' ; an object of Hostile can't be the same as a text",
                "1 == '1' ; a number can't be the same as a text",
                "this + 1 ; an object of Hostile and a number can't be calculated with",
                "'a' + this ; an object of Hostile has no text",
                "1 / 0 ; the number is too large, or divided by zero",
                "9223372036854775807 + 1 ; the number is too large, or divided by zero",
                "items[2] ; place 2 of 2",
                "this.items['a'] ; a ArrayList has nothing at a text",
                "this.id.contains('7') ; contains asks a text for a text, not a number for a text",
                "this.missing.size > 3 || true ; an object of Hostile has no missing",
                "evil.matches('(.*)(.*)(.*)(.*)(.*)x') ; the pattern takes too long",
                "huge.contains('x') ; contains asks a text for a text, not an overlong text for a text",
                "huge == 'x' ; an overlong text can't be the same as a text",
                "slots[2] ; place 2 of 2",
                "long.matches('a*') ; the text is too long for a pattern"
            })
    void whatHasNoValue_saysWhy_andIsNotThrown(String text, String why) throws Exception {
        assertThat(evaluate(text))
                .isInstanceOfSatisfying(
                        ValueFault.class, fault -> assertThat(fault.why()).isEqualTo(why));
    }

    @Test
    void codeOfTheApplication_isNeverCalled() throws Exception {
        Hostile.CALLED.clear();
        for (String text : List.of(
                "this == this",
                "this.own == this",
                "this.own[0]",
                "'' + this.colour",
                "this.own.length",
                "problem.message",
                "this.colour == 'x'",
                "this == null",
                "keyed['a']",
                "this.toString",
                "this.getId")) {
            evaluate(text);
        }
        assertThat(Hostile.CALLED).as("hashCode, by the test's own map").containsOnly("hashCode");
        assertThatThrownBy(() -> Expression.parse("this.getId()"))
                .isInstanceOf(ExpressionProblem.class)
                .hasMessageStartingWith("column 6: getId() can't be called (expected: a field, ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "a > ; column 4: the end (expected: a value)",
                "a = 3 ; column 3: '=' means nothing here",
                "(a ; column 3: the end (expected: ))",
                "a b ; column 3: b (expected: an operator or the end)",
                "a == 'x ; column 6: the text has no end (expected: ')",
                "a.matches('(') ; column 11: the pattern can't be read: Unclosed group",
                "a.matches(b) ; column 11: b (expected: a pattern in quotes of at most 200 characters)",
                "a. ; column 3: the end (expected: a name)",
                "1 < 2 < 3 ; column 7: < (expected: an operator or the end)",
                "99999999999999999999 ; column 1: 99999999999999999999 is too large"
            })
    void whatIsNoExpression_isRefused_withItsPlace(String text, String problem) {
        assertThatThrownBy(() -> Expression.parse(text))
                .isInstanceOf(ExpressionProblem.class)
                .hasMessage(problem);
    }

    @Test
    void whatIsTooDeepOrTooLong_isRefused() {
        for (String text : List.of(
                "(".repeat(400) + "1" + ")".repeat(400), "!".repeat(900), "1" + "+1".repeat(400), "1".repeat(1001))) {
            assertThatThrownBy(() -> Expression.parse(text))
                    .isInstanceOf(ExpressionProblem.class)
                    .hasMessageContaining("too ");
        }
    }

    @Test
    void aMessage_hasItsHolesFilled_andSecretsMasked() throws Exception {
        Template template =
                Template.parse("total of {this.id} {{with}} {items} is {return + 1}, {this.apiToken} {'}' + price}");
        assertThat(template.names()).containsExactly("this", "items", "return", "price");
        @Nullable Object[] values = {new Hostile(), new int[] {1}, 41L, 2.5};
        assertThat(template.text(values, FIELDS, new Rendering(FIELDS, new Secrets(List.of()))))
                .isEqualTo("total of 7 {with} int[1] is 42, [masked] }2.5");
        assertThatThrownBy(() -> Template.parse("is {a +}")).hasMessage("column 8: } (expected: a value)");
        assertThatThrownBy(() -> Template.parse("is {a")).hasMessageStartingWith("column 6: the end");
        assertThatThrownBy(() -> Template.parse("is a}")).hasMessageStartingWith("column 5: }");
    }

    @Test
    void anyText_isAnExpressionWithAValue_orAProblemWithAPlace() {
        int read = 0;
        int rounds = Fuzz.rounds(40_000);
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length >= 0; length--) {
                text.append(
                        random.nextInt(20) == 0
                                ? String.valueOf((char) random.nextInt(0x300))
                                : PIECES[random.nextInt(PIECES.length)]);
            }
            try {
                Expression expression = Expression.parse(text.toString());
                expression.evaluate(expression.names().stream().map(this::value).toArray(), FIELDS);
                read++;
            } catch (ExpressionProblem problem) {
                assertThat(problem.getMessage()).as("seed %d: %s", seed, text).matches("(?s)column \\d+: .+");
            } catch (RuntimeException | StackOverflowError defect) {
                throw new AssertionError("seed " + seed + ": " + text, defect);
            }
            try {
                Template template = Template.parse(text.toString());
                template.text(
                        template.names().stream().map(this::value).toArray(),
                        FIELDS,
                        new Rendering(FIELDS, new Secrets(List.of())));
            } catch (ExpressionProblem problem) {
                // as it should be
            } catch (RuntimeException | StackOverflowError defect) {
                throw new AssertionError("seed " + seed + ": " + text, defect);
            }
        }
        assertThat(read).isGreaterThan(rounds / 80);
    }

    private @Nullable Object evaluate(String text) throws ExpressionProblem {
        Expression expression = Expression.parse(text);
        return expression.evaluate(expression.names().stream().map(this::value).toArray(), FIELDS);
    }

    private static LongAdder adder() {
        LongAdder adder = new LongAdder();
        adder.add(42);
        return adder;
    }

    @SuppressWarnings({"JdkObsolete", "UnnecessaryStringBuilder"}) // buffers are what is read
    private @Nullable Object value(String name) {
        return switch (name) {
            case "this" -> new Hostile();
            case "items" -> new int[] {3, 4};
            case "price" -> new BigDecimal("10.50");
            case "big" -> 7;
            case "built" -> new StringBuilder("tea");
            case "huge" -> new StringBuffer("x".repeat(10_001));
            case "held" -> new AtomicReference<>(Optional.of(new Hostile()));
            case "nothing" -> new AtomicReference<>();
            case "adder" -> adder();
            case "slots" -> new AtomicIntegerArray(new int[] {1, 2});
            case "exception" -> new IllegalStateException("late");
            case "problem" -> new Hostile.Problem();
            case "evil" -> "a".repeat(40);
            case "long" -> "a".repeat(5000);
            case "keyed" -> keyed();
            case "a" -> new ArrayList<>(List.of("x", 1));
            default -> null;
        };
    }

    private static Map<Object, Object> keyed() {
        Map<Object, Object> map = new HashMap<>();
        map.put(new Hostile(), 1);
        return map;
    }
}
