package dev.understudy.testing.process;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestedCommandTest {
    private static final Map<String, String> UPSTREAMS = Map.of("rates", "127.0.0.1:8090");

    @Test
    void line_ofAJar_hasOptionsBeforeAndArgumentsAfterIt() {
        List<String> line = command("-Xmx64m", "-Da=b", "service.jar", "--rates=http://${rates}/", "${rates.port}")
                .line(UPSTREAMS);

        assertThat(line.subList(1, line.size()))
                .containsExactly("-Xmx64m", "-Da=b", "-jar", "service.jar", "--rates=http://127.0.0.1:8090/", "8090");
    }

    @Test
    void line_ofAClass_hasTheTestsClassPath() {
        assertThat(command("com.example.Service", "${rates.host}").line(UPSTREAMS))
                .containsSequence("-cp", System.getProperty("java.class.path"), "com.example.Service", "127.0.0.1");
    }

    @Test
    void placeholder_thatIsUnknown_isAnErrorWithWhatIsKnown() {
        assertThatThrownBy(() -> command("service.jar", "${rate}").line(UPSTREAMS))
                .hasMessage("${rate}: unknown (expected: one of [rates], or a system property)");
    }

    @Test
    void address_isNotStarted() {
        assertThat(command("127.0.0.1:8081").isAddress()).isTrue();
        assertThat(command("service.jar").isAddress()).isFalse();
        assertThatThrownBy(() -> command("127.0.0.1:8081", "x")).hasMessageContaining("nothing after an address");
        assertThatThrownBy(() -> command("-Xmx64m")).hasMessageContaining("expected: a jar, a class name or host:port");
        assertThatThrownBy(() -> command()).hasMessageContaining("expected: a jar, a class name or host:port");
    }

    private static TestedCommand command(String... words) {
        return new TestedCommand(List.of(words));
    }
}
