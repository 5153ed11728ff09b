package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.ExecutionParting.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.sidecar.experiment.ExecutionScript.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

final class ExecutionDiffTest {
    @Test
    void ofEqualInputs_anotherResult_blamesTheInnermostMethod() {
        ExecutionTree failing =
                execution("e|Shop#get|Shop|1", "e|Cart#total|Cart|\"EUR\"", "r|Cart#total|12", "r|Shop#get|\"12\"");
        ExecutionTree passing =
                execution("e|Shop#get|Shop|1", "e|Cart#total|Cart|\"EUR\"", "r|Cart#total|13", "r|Shop#get|\"13\"");

        assertThat(ExecutionDiff.of(failing, passing).partings())
                .containsExactly(new ExecutionParting(
                        "Cart#total",
                        Kind.RESULT,
                        "Shop#get",
                        "returned 12",
                        "returned 13",
                        List.of("this: Cart", "\"EUR\""),
                        List.of("this: Cart", "\"EUR\""),
                        2,
                        false,
                        false,
                        false,
                        1));
    }

    /** What lies between doesn't count: its inputs differ. */
    @Test
    void aResultFarInside_explainsTheOuterOne() {
        ExecutionTree failing = execution("e|A#a||1", "e|B#b||2", "e|C#c||3", "r|C#c|4", "r|B#b|5", "r|A#a|6");
        ExecutionTree passing = execution("e|A#a||1", "e|B#b||20", "e|C#c||3", "r|C#c|40", "r|B#b|50", "r|A#a|60");

        assertThat(words(ExecutionDiff.of(failing, passing))).containsExactly("C#c RESULT returned 4 / returned 40");
    }

    @ParameterizedTest
    @CsvSource({
        "r|null, r|Card{n=1}, true",
        "r|Card{n=1}, r|Cash{n=1}, true",
        "r|[Card{n=1}], r|null, true",
        "r|Card{n=1}, r|Card{n=2}, false",
        "r|1, r|-1, false",
        "r|true, r|false, false",
        "r|DONE, r|HAVE_MORE, false",
        "t|Wrong: 1, r|Card{n=1}, false"
    })
    void onlyObjects_areOfOtherClasses(String failing, String passing, boolean isOfOtherClass) {
        ExecutionTree one = execution("e|Till#pay||1", failing.replace("|", "|Till#pay|"));
        ExecutionTree other = execution("e|Till#pay||2", passing.replace("|", "|Till#pay|"));

        assertThat(ExecutionDiff.of(one, other).partings())
                .allSatisfy(parting -> assertThat(parting.isOfOtherClass()).isEqualTo(isOfOtherClass));
        assertThat(ExecutionDiff.of(one, other).partings().stream().anyMatch(ExecutionParting::isOfOtherClass))
                .isEqualTo(isOfOtherClass);
    }

    @Test
    void anotherReceiver_isAnotherInput() {
        ExecutionTree failing = execution("e|List#size|LinkedList", "r|List#size|2");
        ExecutionTree passing = execution("e|List#size|ArrayList", "r|List#size|3");

        assertThat(ExecutionDiff.of(failing, passing).partings()).isEmpty();
    }

    @Test
    void ofOtherInputs_aResultOfAnotherKind_parts() {
        ExecutionTree failing = execution("e|Parser#parse||\"x\"", "r|Parser#parse|HardLineBreak{at=1}");
        ExecutionTree passing = execution("e|Parser#parse||\"y\"", "r|Parser#parse|SoftLineBreak{at=1}");

        ExecutionParting parting = ExecutionDiff.of(failing, passing).partings().get(0);
        assertThat(parting.kind()).isEqualTo(Kind.KIND);
        assertThat(parting.failing()).isEqualTo("returned HardLineBreak{at=1}");
        assertThat(parting.passing()).isEqualTo("returned SoftLineBreak{at=1}");
        assertThat(parting.failingInputs()).containsExactly("\"x\"");
        assertThat(parting.passingInputs()).containsExactly("\"y\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "r|A#a|null; r|A#a|A{}",
                "r|A#a|true; r|A#a|false",
                "r|A#a|-1; r|A#a|1",
                "r|A#a|0; r|A#a|0.5",
                "r|A#a|-0.0; r|A#a|1.0E-5",
                "r|A#a|-12; r|A#a|0",
                "r|A#a|-12…#1a2b; r|A#a|12…#1a2b",
                "r|A#a|\"\"; r|A#a|\"a\"",
                "r|A#a|[]; r|A#a|[1]",
                "r|A#a|{}; r|A#a|{1=2}",
                "r|A#a|Optional{}; r|A#a|Optional{A{x=1}}",
                "r|A#a|byte[0]; r|A#a|byte[12]",
                "r|A#a|A{x=1}; r|A#a|B{x=1}",
                "r|A#a|A{…}; r|A#a|[1]",
                "r|A#a; r|A#a|1",
                "t|A#a|E: 1; r|A#a|1",
                "t|A#a|E: 1; t|A#a|F: 1",
            })
    void kinds_differ(String one, String other) {
        assertThat(words(diffOfEnds(one, other))).hasSize(1);
        assertThat(words(diffOfEnds(other, one))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "r|A#a|1; r|A#a|2",
                "r|A#a|-1; r|A#a|-2.5E10",
                "r|A#a|0; r|A#a|0.0",
                "r|A#a|\"a\"; r|A#a|\"b{}\"",
                "r|A#a|\"null\"; r|A#a|\"true\"",
                "r|A#a|[1]; r|A#a|[1, 2]",
                "r|A#a|{1=2}; r|A#a|{1=3}",
                "r|A#a|byte[1]; r|A#a|byte[12]",
                "r|A#a|A{x=1}; r|A#a|A{x=null}",
                "r|A#a|2026-11-29; r|A#a|2026-11-30",
                "t|A#a|E: 1; t|A#a|E: 2",
            })
    void anotherContentOfTheSameKind_isNoParting(String one, String other) {
        assertThat(words(diffOfEnds(one, other))).isEmpty();
    }

    private static ExecutionDiff diffOfEnds(String one, String other) {
        return ExecutionDiff.of(execution("e|A#a||1", one), execution("e|A#a||2", other));
    }

    @Test
    void aCallerThatHandsOnWhatACallReturned_isNotBlamed() {
        ExecutionTree failing = execution("e|A#a||1", "e|B#b||1", "e|C#c||1", "r|C#c|null", "r|B#b|null", "r|A#a|-1");
        ExecutionTree passing = execution("e|A#a||2", "e|B#b||2", "e|C#c||2", "r|C#c|C{}", "r|B#b|C{}", "r|A#a|5");

        assertThat(words(ExecutionDiff.of(failing, passing)))
                .containsExactly("C#c KIND returned null / returned C{}", "A#a KIND returned -1 / returned 5");
    }

    @Test
    void aCallOnOneSideOnly_partsItsCaller() {
        ExecutionTree failing = execution("e|A#a|A|1", "e|B#b|", "r|B#b", "e|D#d|", "r|D#d", "r|A#a");
        ExecutionTree passing =
                execution("e|A#a|A|1", "e|B#b|", "r|B#b", "e|C#c|", "r|C#c", "e|D#d|", "r|D#d", "r|A#a");

        ExecutionParting missing = ExecutionDiff.of(failing, passing).partings().get(0);
        assertThat(missing)
                .isEqualTo(new ExecutionParting(
                        "A#a",
                        Kind.WAY,
                        "",
                        "called D#d",
                        "called C#c",
                        List.of("this: A", "1"),
                        List.of("this: A", "1"),
                        3,
                        false,
                        false,
                        false,
                        1));
        assertThat(words(ExecutionDiff.of(passing, failing))).containsExactly("A#a WAY called C#c / called D#d");
    }

    @Test
    void ofSeveralCallsOnOneSide_theFirstIsTold_andNothingMoreOfTheOther() {
        ExecutionTree failing = execution("e|A#a||1", "e|B#b|", "r|B#b", "r|A#a");
        ExecutionTree passing = execution("e|A#a||1", "e|X#x|", "r|X#x", "e|B#b|", "r|B#b", "e|Y#y|", "r|Y#y", "r|A#a");
        ExecutionTree shorter = execution("e|A#a||1", "r|A#a");

        assertThat(words(ExecutionDiff.of(failing, passing))).containsExactly("A#a WAY called B#b / called X#x");
        assertThat(ExecutionDiff.of(shorter, failing).partings())
                .extracting(ExecutionParting::failing, ExecutionParting::passing, ExecutionParting::order)
                .containsExactly(tuple("called nothing more", "called B#b", 1));
    }

    /** Calls after the one that is missing are compared with what they stand for. */
    @Test
    void callsAfterAMissingOne_areStillCompared() {
        ExecutionTree failing = execution("e|A#a||1", "e|C#c||1", "r|C#c|null", "r|A#a");
        ExecutionTree passing =
                execution("e|A#a||1", "e|B#b||", "r|B#b", "e|B#b||", "r|B#b", "e|C#c||1", "r|C#c|7", "r|A#a");

        assertThat(words(ExecutionDiff.of(failing, passing)))
                .containsExactly("A#a WAY called C#c / called B#b", "C#c RESULT returned null / returned 7");
    }

    @Test
    void partings_areInOrder_andCountedOnce() {
        ExecutionTree failing = execution(
                "e|A#a||1", "e|B#b||1", "r|B#b|null", "e|B#b||2", "r|B#b|null", "e|C#c||1", "r|C#c|1", "r|A#a");
        ExecutionTree passing =
                execution("e|A#a||1", "e|B#b||1", "r|B#b|5", "e|B#b||2", "r|B#b|6", "e|C#c||1", "r|C#c|2", "r|A#a");

        List<ExecutionParting> partings = ExecutionDiff.of(failing, passing).partings();
        assertThat(partings).extracting(ExecutionParting::method).containsExactly("B#b", "C#c");
        assertThat(partings.get(0).count()).isEqualTo(2);
        assertThat(partings.get(0).order()).isEqualTo(2);
        assertThat(partings.get(0).passing()).isEqualTo("returned 5");
    }

    @Test
    void whatPartsAfterAnException_isMarked() {
        ExecutionTree failing = execution(
                "e|A#a||1", "e|N#n||1", "t|N#n|E: 1", "e|B#b||1", "t|B#b|E: 2", "e|C#c||1", "r|C#c|1", "r|A#a");
        ExecutionTree passing =
                execution("e|A#a||1", "e|N#n||1", "t|N#n|E: 3", "e|B#b||1", "r|B#b|1", "e|C#c||1", "r|C#c|2", "r|A#a");

        assertThat(ExecutionDiff.of(failing, passing).partings())
                .extracting(ExecutionParting::method, ExecutionParting::isAfterThrow)
                .containsExactly(tuple("N#n", false), tuple("B#b", false), tuple("C#c", true));
    }

    @Test
    void anExceptionOfAnotherThread_marksNothing() {
        ExecutionTree failing = new ExecutionScript()
                .thread("e|A#a||1", "t|A#a|E: 2")
                .thread("e|B#b||1", "r|B#b|1")
                .tree();
        ExecutionTree passing = new ExecutionScript()
                .thread("e|A#a||1", "r|A#a|1")
                .thread("e|B#b||1", "r|B#b|2")
                .tree();

        assertThat(ExecutionDiff.of(failing, passing).partings())
                .extracting(ExecutionParting::isAfterThrow)
                .containsExactly(false, false);
    }

    @Test
    void threads_areComparedByOrder_whateverTheirNames() {
        ExecutionTree failing = new ExecutionScript()
                .thread("e|A#a||1", "r|A#a|1")
                .thread("e|B#b||1", "r|B#b|1")
                .thread("e|C#c||1", "r|C#c|1")
                .tree();
        ExecutionTree passing = new ExecutionScript()
                .thread("e|A#a||1", "r|A#a|1")
                .thread("e|B#b||1", "r|B#b|2")
                .tree();

        assertThat(words(ExecutionDiff.of(failing, passing)))
                .containsExactly("B#b RESULT returned 1 / returned 2", "C#c WAY called C#c / called nothing more");
        assertThat(words(ExecutionDiff.of(passing, failing)))
                .containsExactly("B#b RESULT returned 2 / returned 1", "C#c WAY called nothing more / called C#c");
    }

    @Test
    void whatPartsByChance_isLeftOut_byMethodAndKind() {
        ExecutionTree failing = execution(
                "e|A#a||1", "e|Id#next|", "r|Id#next|1", "e|B#b||1", "r|B#b|null", "e|X#x|", "r|X#x", "r|A#a");
        ExecutionTree again = execution(
                "e|A#a||1", "e|Id#next|", "r|Id#next|2", "e|B#b||1", "r|B#b|null", "e|Y#y|", "r|Y#y", "r|A#a");
        ExecutionTree passing =
                execution("e|A#a||1", "e|Id#next|", "r|Id#next|3", "e|B#b||1", "r|B#b|B{}", "e|Z#z|", "r|Z#z", "r|A#a");

        ExecutionDiff diff = ExecutionDiff.of(failing, passing);
        assertThat(words(diff)).hasSize(3);
        assertThat(words(diff.without(ExecutionDiff.of(failing, again))))
                .containsExactly("B#b RESULT returned null / returned B{}");
        assertThat(words(diff.without(ExecutionDiff.of(failing, failing)))).hasSize(3);
    }

    @Test
    void aMethodThatIsNoiseInOneKind_isToldInAnother() {
        ExecutionTree failing = execution("e|Id#next|", "r|Id#next|-1");
        ExecutionTree passing = execution("e|Id#next|", "r|Id#next|2");
        ExecutionTree again = execution("e|Id#next|", "r|Id#next|3");

        assertThat(words(ExecutionDiff.of(failing, passing).without(ExecutionDiff.of(passing, again))))
                .containsExactly("Id#next KIND returned -1 / returned 2");
    }

    /** Else any clock would hide the results of all its callers. */
    @Test
    void aCallerHiddenByNoise_isTold_unlessTheNoiseReachesIt() {
        ExecutionTree failing = shop("1", "12", "\"1: 12\"");
        ExecutionTree passing = shop("2", "13", "\"2: 13\"");
        ExecutionTree again = shop("3", "13", "\"3: 13\"");

        ExecutionDiff diff = ExecutionDiff.of(failing, passing);
        assertThat(words(diff)).containsExactly("Clock#now RESULT returned 1 / returned 2");
        assertThat(words(diff.without(ExecutionDiff.of(passing, again))))
                .containsExactly("Cart#total RESULT returned 12 / returned 13");
    }

    private static ExecutionTree shop(String time, String total, String reply) {
        return execution(
                "e|Shop#get||1",
                "e|Cart#total||1",
                "e|Clock#now|",
                "r|Clock#now|" + time,
                "r|Cart#total|" + total,
                "r|Shop#get|" + reply);
    }

    @Test
    void noiseOfSeveralComparisons_addsUp() {
        ExecutionTree failing = execution("e|A#a||1", "r|A#a|1", "e|B#b||1", "r|B#b|1");
        ExecutionTree passing = execution("e|A#a||1", "r|A#a|2", "e|B#b||1", "r|B#b|2");
        ExecutionTree one = execution("e|A#a||1", "r|A#a|3", "e|B#b||1", "r|B#b|2");
        ExecutionTree other = execution("e|A#a||1", "r|A#a|2", "e|B#b||1", "r|B#b|3");

        assertThat(words(ExecutionDiff.of(failing, passing)
                        .without(ExecutionDiff.of(passing, one))
                        .without(ExecutionDiff.of(passing, other))))
                .isEmpty();
    }

    @Test
    void anUnknownOutcome_isNoParting() {
        ExecutionTree failing = execution("e|A#a||1", "e|B#new|", "t|A#a|E: 1");
        ExecutionTree passing = execution("e|A#a||1", "e|B#new|", "r|B#new", "r|A#a|1");

        assertThat(words(ExecutionDiff.of(failing, passing))).containsExactly("A#a RESULT threw E: 1 / returned 1");
    }

    @Test
    void whatACutRecordingLacksAfterItsEnd_isNoParting() {
        String[] lines = {"e|A#a||1", "e|B#b|", "r|B#b", "r|A#a"};
        ExecutionTree whole = execution("e|A#a||1", "e|B#b|", "r|B#b", "e|C#c|", "r|C#c", "r|A#a");

        assertThat(words(ExecutionDiff.of(new ExecutionScript().thread(lines).tree(), whole)))
                .containsExactly("A#a WAY called nothing more / called C#c");
        ExecutionTree cut = new ExecutionScript().thread(lines).left(1).tree();
        assertThat(words(ExecutionDiff.of(cut, whole))).isEmpty();
        assertThat(words(ExecutionDiff.of(whole, cut))).isEmpty();
    }

    /** An agent records so many calls of each method; where one reached that number, more may have been made. */
    @Test
    void callsOfAMethodThatWasRecordedMostOften_mayBeMissing_othersMayNot() {
        ExecutionTree cut = new ExecutionScript()
                .thread("e|A#a||1", "e|B#b|", "r|B#b", "e|B#b|", "r|B#b", "e|D#d|", "r|D#d", "r|A#a")
                .left(1)
                .tree();
        ExecutionTree moreOfMost = execution(
                "e|A#a||1", "e|B#b|", "r|B#b", "e|B#b|", "r|B#b", "e|B#b|", "r|B#b", "e|D#d|", "r|D#d", "r|A#a");
        ExecutionTree another = execution(
                "e|A#a||1", "e|B#b|", "r|B#b", "e|B#b|", "r|B#b", "e|C#c|", "r|C#c", "e|D#d|", "r|D#d", "r|A#a");

        assertThat(words(ExecutionDiff.of(cut, moreOfMost))).isEmpty();
        assertThat(words(ExecutionDiff.of(cut, another))).containsExactly("A#a WAY called D#d / called C#c");
    }

    private static List<String> words(ExecutionDiff diff) {
        return diff.partings().stream()
                .map(parting ->
                        parting.method() + " " + parting.kind() + " " + parting.failing() + " / " + parting.passing())
                .toList();
    }
}
