package dev.understudy.relay.split;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class ChildJvmTest {
    private static final String THROUGHPUT = "-XX:+UseParallelGC";

    @Test
    void withoutAChoice_collectorIsTheOneForThroughput() {
        assertThat(ChildJvm.options(THROUGHPUT, List.of("-Xmx1g"), Map.of()))
                .contains("-XX:+UseParallelGC", "-XX:+ExitOnOutOfMemoryError")
                .endsWith("-Xmx1g");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
    void collectorOfTheEnvironment_isNotContradicted(String variable) {
        assertThat(ChildJvm.options(THROUGHPUT, List.of(), Map.of(variable, "-Xmx1g -XX:+UseG1GC")))
                .doesNotContain("-XX:+UseParallelGC");
    }

    @Test
    void collectorOfTheSettings_isNotContradicted() {
        assertThat(ChildJvm.options(THROUGHPUT, List.of("-XX:+UseZGC"), Map.of()))
                .doesNotContain("-XX:+UseParallelGC");
    }

    @ParameterizedTest
    @CsvSource({
        "-Xmx1g -agentlib:jdwp=transport=dt_socket;server=y;address=5005 -Xss1m, -Xmx1g  -Xss1m",
        "-Dcom.sun.management.jmxremote.port=9010 -Dcom.sun.management.jmxremote -Xmx1g, '  -Xmx1g'",
        "-javaagent:exporter.jar=9404 -Xmx1g, ' -Xmx1g'",
        "\"-agentlib:jdwp=address=5005\" -Xmx1g, ' -Xmx1g'",
        "-Dours=-agentlib:jdwp, -Dours=-agentlib:jdwp"
    })
    void optionThatOpensAPort_isOnlyTheTapProcesss(String options, String left) {
        Map<String, String> environment = new HashMap<>(Map.of("JDK_JAVA_OPTIONS", options));

        ChildJvm.separate(environment);

        assertThat(environment).containsEntry("JDK_JAVA_OPTIONS", left).hasSize(1);
    }
}
