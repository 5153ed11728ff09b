package dev.understudy.agent.orders;

import dev.understudy.agent.value.Secrets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class RedactOrderTest {
    private final Secrets secrets = new Secrets(List.of("ward"));
    private final RedactOrder order = new RedactOrder(secrets);

    @Test
    void names_areSecretFromThenOn_untilTheyAreNotWanted() {
        assertThat(order.standing()).isEqualTo("none");
        assertThat(order.bring(Map.of("names", List.of("diagnosis", "home address"))))
                .isEmpty();
        assertThat(order.standing()).isEqualTo("2 names");
        assertThat(List.of("diagnosis", "homeAddress", "ward", "password")).allMatch(secrets::isSecret);

        assertThat(order.bring(Map.of())).isEmpty();
        assertThat(order.standing()).isEqualTo("none");
        assertThat(secrets.isSecret("diagnosis")).isFalse();
        assertThat(List.of("ward", "password")).allMatch(secrets::isSecret);
    }

    @Test
    void namesOfTheAgentsOwnSettings_andThoseThatAreOrdered_leaveOneAnotherAlone() {
        order.bring(Map.of("names", List.of("diagnosis")));
        secrets.own(List.of("ward", "salary"));
        assertThat(List.of("diagnosis", "ward", "salary")).allMatch(secrets::isSecret);
        order.bring(Map.of());
        assertThat(List.of("ward", "salary")).allMatch(secrets::isSecret);
        secrets.own(List.of("ward"));
        assertThat(secrets.isSecret("salary")).isFalse();
    }

    @Test
    void whatIsNoName_isAProblem_andTheOthersAreSecretAllTheSame() {
        List<Object> names = new ArrayList<>(Collections.nCopies(3, "diagnosis"));
        names.addAll(List.of("", " ", "7", "a=b", "x".repeat(65), 5, true, List.of("salary"), Map.of("a", "b")));
        names.add("\ud83d");
        List<String> problems = order.bring(Map.of("names", names));
        assertThat(problems).hasSize(10).allMatch(problem -> problem.length() < 200);
        assertThat(problems).contains("a name isn't understood: a=b (expected: the name of a field)");
        assertThat(secrets.isSecret("diagnosis")).isTrue();
        assertThat(secrets.isSecret("salary")).isFalse();

        for (Object other : List.of("diagnosis", 5, Map.of("a", "b".repeat(10_000)))) {
            assertThat(order.bring(Map.of("names", other)))
                    .singleElement()
                    .asString()
                    .hasSizeLessThan(200)
                    .endsWith("(expected: a list)");
        }
        List<String> many = IntStream.range(0, 1002).mapToObj(n -> "n" + n).toList();
        assertThat(order.bring(Map.of("names", many))).hasSize(2);
        assertThat(order.standing()).isEqualTo("1000 names");
    }
}
