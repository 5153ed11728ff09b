package dev.understudy.it.suites;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JunitReaderTest {
    @Test
    void childOfEachCase_isItsState() throws IOException {
        List<TestResult> results = read("""
                <testcase classname="tests.a" name="one[x / y]"/>
                <testcase classname="tests.a" name="two"><failure message="assert 1 == 2">where</failure></testcase>
                <testcase classname="tests.a" name="three"><skipped message="not here"/></testcase>
                <testcase classname="tests.a" name="four"><error message="no fixture">trace</error></testcase>
                """);

        assertThat(results)
                .extracting(TestResult::name)
                .containsExactly("tests.a one[x / y]", "tests.a two", "tests.a three", "tests.a four");
        assertThat(results)
                .extracting(TestResult::state)
                .containsExactly(TestState.PASSED, TestState.FAILED, TestState.SKIPPED, TestState.FAILED);
        assertThat(results.get(1).text()).contains("assert 1 == 2", "where");
    }

    @Test
    void testBeyondItsTime_hasHung() throws IOException {
        assertThat(read("""
                <testcase classname="a" name="b"><failure message="Failed: Timeout (&gt;60.0s) from pytest-timeout."/>
                </testcase>""")).extracting(TestResult::state).containsExactly(TestState.HUNG);
    }

    @Test
    void partsOfOneTest_countByTheWorst() throws IOException {
        List<TestResult> results = read("""
                <testcase classname="a" name="b"><failure message="part"/></testcase>
                <testcase classname="a" name="b"/>
                """);

        assertThat(results).hasSize(1);
        assertThat(results.get(0).state()).isEqualTo(TestState.FAILED);
        assertThat(results.get(0).text()).contains("part");
    }

    @Test
    void momentsInProperties_areItsInterval() throws IOException {
        TestResult result = read("""
                <testcase classname="a" name="b"><properties><property name="begun" value="1000.25"/>
                <property name="ended" value="1002.5"/></properties></testcase>""").get(0);

        assertThat(result.spans(Instant.ofEpochMilli(1_000_250))).isTrue();
        assertThat(result.spans(Instant.ofEpochMilli(1_002_501))).isFalse();
    }

    @Test
    void otherText_isRefused() {
        assertThatThrownBy(() -> JunitReader.read(new ByteArrayInputStream(new byte[] {'x'})))
                .isInstanceOf(IOException.class);
    }

    private static List<TestResult> read(String cases) throws IOException {
        String xml = "<?xml version=\"1.0\"?><testsuites><testsuite>" + cases + "</testsuite></testsuites>";
        return JunitReader.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }
}
