package dev.understudy.it.suites;

import java.io.IOException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExcludedTestsTest {
    @Test
    void namedTest_isExcludedInItsSuiteOnly() throws IOException {
        ExcludedTests excluded = ExcludedTests.parse("# note\n\npgx\tp TestNow\tclock: reads it\n");

        assertThat(excluded.reason("pgx", "p TestNow")).hasValue("clock: reads it");
        assertThat(excluded.reason("pgx", "p TestNowhere")).isEmpty();
        assertThat(excluded.reason("lib-pq", "p TestNow")).isEmpty();
    }

    @Test
    void star_standsForAnyRest() throws IOException {
        ExcludedTests excluded = ExcludedTests.parse("pgx\tp TestAuth*\tcredentials: wrong ones\n");

        assertThat(excluded.reason("pgx", "p TestAuth/md5")).isPresent();
        assertThat(excluded.reason("pgx", "p Test")).isEmpty();
    }

    @Test
    void lineWithoutAKnownReason_isRefused() {
        assertThatThrownBy(() -> ExcludedTests.parse("pgx\tp TestNow\tflaky\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("flaky")
                .hasMessageContaining("clock:");
        assertThatThrownBy(() -> ExcludedTests.parse("pgx p TestNow clock: reads it\n"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void bundledList_isReadable() throws IOException {
        assertThat(ExcludedTests.bundled().reason("none", "none")).isEmpty();
    }
}
