package dev.understudy.standin.load;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class LoadTargetTest {
    @Test
    void target_isHostAndPort() {
        assertThat(LoadTarget.parse("http://localhost:8080/")).isEqualTo(new LoadTarget("localhost", 8080));
        assertThat(LoadTarget.parse("http://[::1]:80")).hasToString("http://[::1]:80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost:80",
                "https://a:1",
                "http://a",
                "http://a:0",
                "http://a:70000",
                "http://a:1/x",
                "http://a:1?b",
                "http://u@a:1",
                "http://:1",
                "http://a b:1"
            })
    void whatIsNotOne_isRefused(String raw) {
        assertThatThrownBy(() -> LoadTarget.parse(raw))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: http://HOST:PORT");
    }
}
