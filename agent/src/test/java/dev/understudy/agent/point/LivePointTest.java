package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Places are passed by hand. */
final class LivePointTest {
    private final Hits hits = new Hits();
    private final Secrets secrets = new Secrets(List.of());

    @Test
    void onlyWhatItsConditionHoldsFor_isTold() {
        LivePoint point = live("a.Shop#sum", "entry", "when", "total > 10");
        pass(point, List.of("total"), 10);
        assertThat(hits.poll()).isNull();
        pass(point, List.of("total"), 11);

        assertThat(told().values).isEqualTo(Map.of("total", "11"));
        assertThat(point.told()).isEqualTo(1);
        assertThat(point.undecided() + point.limited()).isZero();
    }

    @Test
    void aConditionWithoutAnAnswer_isCountedAndSaysWhy() {
        LivePoint point = live("a.Shop#sum", "entry", "when", "total > 10");
        pass(point, List.of("total"), Points.ABSENT);
        assertThat(point.undecided()).isEqualTo(1);
        assertThat(point.why()).isEqualTo("it isn't known there");

        LivePoint number = live("a.Shop#sum", "entry", "when", "total + 1");
        pass(number, List.of("total"), 11);
        assertThat(number.why()).isEqualTo("the condition isn't true or false");
        assertThat(hits.poll()).isNull();
    }

    @Test
    void whatIsBeyondTheQuota_isCountedAndNotTold() {
        LivePoint point = live("a.Shop#sum", "entry", "quota", 2);
        for (int i = 0; i < 5; i++) {
            pass(point, List.of("total"), i);
        }

        assertThat(told().values).isEqualTo(Map.of("total", "0"));
        assertThat(told().values).isEqualTo(Map.of("total", "1"));
        assertThat(hits.poll()).isNull();
        assertThat(point.limited()).isEqualTo(3);
        assertThat(point.isDue()).isFalse();
    }

    @Test
    void valuesWithTheNameOfASecret_areMasked() {
        pass(live("a.Shop#login", "entry"), List.of("user", "password", "token"), "anna", "hunter2", null);
        assertThat(told().values).isEqualTo(Map.of("user", "anna", "password", "[masked]", "token", "null"));

        pass(
                live("a.Shop#login", "entry", "message", "{user} with {password}"),
                List.of("user", "password"),
                "anna",
                "hunter2");
        assertThat(told().text).isEqualTo("anna with [masked]");
    }

    @Test
    void theTextThatAMethodReturns_hasTheMethodsName() {
        List<String> names = List.of("return", "user");
        pass(live("a.Shop#getPassword(String)", "exit"), names, "hunter2", "anna");
        assertThat(told().values).isEqualTo(Map.of("return", "[masked]", "user", "anna"));
        pass(live("a.Shop#apiToken", "exit", "message", "{user}: {return}"), names, "hunter2", "anna");
        assertThat(told().text).isEqualTo("anna: <it is masked>");

        pass(live("a.Shop#getName(Token)", "exit"), names, "Anna", "anna");
        assertThat(told().values).containsEntry("return", "Anna");
        pass(live("a.Shop#findToken", "exit"), names, Optional.of("hunter2"), "anna");
        assertThat(told().values).containsEntry("return", "[masked]");
        pass(live("a.Shop#isTokenValid", "exit"), names, false, "anna");
        assertThat(told().values).containsEntry("return", "false");
    }

    @Test
    void valuesOfAChosenName_areMasked_fromTheOrderOn_alsoAtPointsThatWereThereBefore() {
        LivePoint snapshot = live("a.Ward#admit", "entry");
        LivePoint message = live("a.Ward#admit", "entry", "message", "{patient}: {diagnosis}, {patient['diagnosis']}");
        LivePoint number = live("a.Ward#getSalary()", "exit");
        LivePoint field = live(Account.class.getName() + "#owner", "writes");
        secrets.choose(List.of("diagnosis", "salary", "owner"));

        Map<String, String> patient = Map.of("diagnosis", "flu");
        List<String> names = List.of("patient", "diagnosis", "bed");
        pass(snapshot, names, patient, "flu", 7);
        assertThat(told().values)
                .isEqualTo(Map.of("patient", "{\"diagnosis\"=[masked]}", "diagnosis", "[masked]", "bed", "7"));
        pass(message, names, patient, "flu", 7);
        assertThat(told().text).isEqualTo("{\"diagnosis\"=[masked]}: [masked], [masked]");
        pass(number, List.of("return", "user"), 93_000, "anna");
        assertThat(told().values).isEqualTo(Map.of("return", "[masked]", "user", "anna"));
        pass(field, List.of("this", "value", "old"), new Account(), "Bea", null);
        assertThat(told().values).containsEntry("old", "[masked]").containsEntry("value", "[masked]");

        secrets.choose(List.of());
        pass(snapshot, names, patient, "flu", 7);
        assertThat(told().values).containsEntry("diagnosis", "flu");
    }

    @Test
    void whatAWatchedFieldHolds_hasTheFieldsName() {
        List<String> names = List.of("this", "value", "old");
        String field = Account.class.getName() + "#password";
        pass(live(field, "writes", "message", "{old} is {value}"), names, new Account(), "hunter2", null);
        assertThat(told().text).isEqualTo("<it is masked> is <it is masked>");
        pass(live(field, "writes", "when", "value == 'hunter2'"), names, new Account(), "hunter2", null);
        Map<String, String> values = told().values;
        assertThat(values).containsEntry("old", "[masked]").containsEntry("value", "[masked]");
        assertThat(values.get("this")).as("whose it is").contains("Account");
    }

    @Test
    void whatAFieldHeld_isThatOfItsOwnClass() {
        List<String> names = List.of("this", "value", "old");
        String field = Account.class.getName() + "#owner";
        pass(live(field, "writes"), names, new Account(), "Bea", null);
        assertThat(told().values).containsEntry("old", "Anna").containsEntry("value", "Bea");
        pass(live(field, "writes"), names, new HidingAccount(), "Bea", null);
        assertThat(told().values).doesNotContainKey("old").containsEntry("value", "Bea");
    }

    @Test
    void aConditionOnAField_knowsItsValuesAlone() {
        String field = Account.class.getName() + "#owner";
        assertThatThrownBy(() -> live(field, "reads", "when", "old == 'Anna'"))
                .hasMessage("when: old isn't known of a field that is watched (expected: one of [value, this])");
        assertThatThrownBy(() -> live(field, "writes", "when", "owner == 'Anna'"))
                .hasMessageContaining("(expected: one of [value, old, this])");
        assertThatThrownBy(() -> live(field, "writes", "rate", 0)).hasMessageContaining("expected: above 0");
    }

    private Hits.Hit told() {
        return Objects.requireNonNull(hits.poll());
    }

    /** @param also what is ordered beside that, names and values in turns */
    private LivePoint live(String method, String at, Object... also) {
        Map<String, Object> ordered =
                new HashMap<>(Map.of("id", "p", "method", method, "at", at, "rate", 1000, "quota", 1000));
        for (int i = 0; i < also.length; i += 2) {
            ordered.put((String) also[i], also[i + 1]);
        }
        return new LivePoint(PointSpec.of(ordered), new Fields(closed -> {}), secrets, hits);
    }

    private static void pass(LivePoint point, List<String> names, @Nullable Object... seen) {
        new PointSite(point, "there", point.wanted.method.replaceAll("\\(.*", ""), names, 0).pass(seen, null);
    }

    /** An application's class. */
    @SuppressWarnings("unused")
    private static class Account {
        private final String password = "swordfish";
        private final String owner = "Anna";
    }

    /** Has a field of that name itself. */
    @SuppressWarnings("unused")
    private static final class HidingAccount extends Account {
        private final String owner = "Cleo";
    }
}
