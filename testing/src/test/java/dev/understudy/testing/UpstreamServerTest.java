package dev.understudy.testing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UpstreamServerTest {
    @Test
    void text_hasNameProtocolAndAddress() {
        assertThat(UpstreamServer.parse("orders=postgres://db.example:5432"))
                .isEqualTo(new UpstreamServer("orders", "postgres", "db.example", 5432));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders",
                "orders=",
                "orders=127.0.0.1:1",
                "orders=http://a",
                "orders=ftp://a:1",
                "=http://a:1",
                "a b=http://a:1",
                "a\": x=http://a:1"
            })
    void text_ofAnotherForm_isAnErrorThatShowsTheForm(String text) {
        assertThatThrownBy(() -> UpstreamServer.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: ");
    }
}
