package dev.understudy.sidecar.experiment;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.sidecar.experiment.ExecutionScript.execution;
import static org.assertj.core.api.Assertions.assertThat;

/** Which of the places where two executions part tell of a cause. */
final class ExecutionPartingTest {
    @ParameterizedTest
    @CsvSource({
        "r|true, r|false, Lexer#ends",
        "r|0, r|7, Lexer#ends",
        "r|5, r|7, ''",
        "t|Wrong: 1, r|false, ''",
    })
    void withoutAnotherClass_anotherKindForEqualInputs_tells(String failing, String passing, String telling) {
        ExecutionTree one = execution("e|Lexer#next||\"a\"", "e|Lexer#ends||1", end("Lexer#ends", failing));
        ExecutionTree other = execution("e|Lexer#next||\"a\"", "e|Lexer#ends||1", end("Lexer#ends", passing));

        assertThat(String.join(" ", telling(one, other))).isEqualTo(telling);
    }

    @Test
    void anotherClass_tellsMore_andOnlyWhatWasThereBeforeAnythingWasThrown() {
        ExecutionTree failing = execution(
                "e|Lexer#ends||1",
                "r|Lexer#ends|true",
                "e|Till#pay||1",
                "r|Till#pay|null",
                "e|Till#sum||",
                "t|Till#sum|Wrong: 1",
                "e|Till#shut||1",
                "r|Till#shut|null");
        ExecutionTree passing = execution(
                "e|Lexer#ends||1",
                "r|Lexer#ends|false",
                "e|Till#pay||1",
                "r|Till#pay|Card{n=1}",
                "e|Till#sum||",
                "r|Till#sum|4",
                "e|Till#shut||1",
                "r|Till#shut|Card{n=1}");

        assertThat(telling(failing, passing)).containsExactly("Till#pay");
    }

    @ParameterizedTest
    @CsvSource({"1, null, Cache#get", "2, null, ''", "2, Coin{n=1}, Cache#get"})
    void nullForAnotherKey_isNoWonder(String key, String returned, String telling) {
        ExecutionTree failing = execution("e|Cache#get||1", "r|Cache#get|" + returned);
        ExecutionTree passing = execution("e|Cache#get||" + key, "r|Cache#get|Card{n=1}");

        assertThat(String.join(" ", telling(failing, passing))).isEqualTo(telling);
    }

    @Test
    void whereAPartIsMissing_onlyAnotherClassTells() {
        ExecutionTree failing = execution(
                "e|Form#isEmpty||1",
                "r|Form#isEmpty|false",
                "e|Form#get||1",
                "r|Form#get|[\"visit\"]",
                "e|Till#pay||1",
                "r|Till#pay|Coin{n=1}");
        ExecutionTree passing = execution(
                "e|Form#isEmpty||1",
                "r|Form#isEmpty|true",
                "e|Form#get||1",
                "r|Form#get|null",
                "e|Till#pay||2",
                "r|Till#pay|Card{n=1}");
        List<ExecutionParting> partings = ExecutionDiff.of(failing, passing).partings();

        assertThat(ExecutionParting.telling(partings, true))
                .extracting(ExecutionParting::method)
                .containsExactly("Till#pay");
        assertThat(ExecutionParting.telling(partings, false))
                .extracting(ExecutionParting::method)
                .containsExactly("Form#get", "Till#pay");
    }

    private static String end(String method, String outcome) {
        return outcome.replace("|", "|" + method + "|");
    }

    private static List<String> telling(ExecutionTree failing, ExecutionTree passing) {
        return ExecutionParting.telling(ExecutionDiff.of(failing, passing).partings(), false).stream()
                .map(ExecutionParting::method)
                .toList();
    }
}
