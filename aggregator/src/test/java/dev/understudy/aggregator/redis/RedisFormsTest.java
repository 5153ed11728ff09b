package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisFormsTest {
    @Test
    void commandName_countsWithoutItsCase() {
        RedisSession session = new RedisSession();

        assertThat(session.form(command("get", "a"))).isEqualTo(session.form(command("GET", "a")));
        assertThat(session.form(command("GET", "A"))).isNotEqualTo(session.form(command("GET", "a")));
    }

    @Test
    void arguments_dontRunIntoEachOther() {
        assertThat(form(command("SET", "ab", "c"))).isNotEqualTo(form(command("SET", "a", "bc")));
        assertThat(RedisForms.of(List.of(command("SET", "a", "b"), command("GET", "c")), 0, 2))
                .isNotEqualTo(RedisForms.of(List.of(command("SET", "a"), command("b", "GET", "c")), 0, 2));
    }

    @Test
    void session_isPartOfTheForm() {
        RedisCommand get = command("GET", "a");

        assertThat(RedisForms.of(get, 0, 2)).isNotEqualTo(RedisForms.of(get, 1, 2));
        assertThat(RedisForms.of(get, 0, 2)).isNotEqualTo(RedisForms.of(get, 256, 2));
        assertThat(RedisForms.of(get, 0, 2)).isNotEqualTo(RedisForms.of(get, 0, 3));
        assertThat(RedisForms.of(get, 1, 3).text()).isEqualTo("GET a [db 1] [RESP3]");
    }

    @Test
    void session_followsHelloSelectAndReset() {
        RedisSession session = new RedisSession();
        session.succeeded(command("HELLO", "3", "AUTH", "SETNAME", "SETNAME", "SETNAME", "name"));
        session.succeeded(command("SELECT", "5"));

        assertThat(session.version()).isEqualTo(3);
        assertThat(session.name()).isEqualTo("name");
        assertThat(session.form(command("GET", "a")).text()).isEqualTo("GET a [db 5] [RESP3]");
        session.succeeded(command("RESET"));
        assertThat(session.form(command("GET", "a")).text()).isEqualTo("GET a");
    }

    @Test
    void text_isClippedPrintableAndWithoutSecrets() {
        assertThat(form(command("SET", "a\r\nb", "x".repeat(1000))).text())
                .startsWith("SET a..b xxx")
                .endsWith("…(1000 bytes)")
                .hasSizeLessThan(100);
        assertThat(form(command("CONFIG", "SET", "requirepass", "s3cret")).text())
                .isEqualTo("CONFIG …");
        String[] many = new String[10_000];
        Arrays.fill(many, "argument");
        assertThat(form(command("DEL", many)).text()).hasSize(Form.MAX_TEXT);
    }

    @Test
    void read_isRepeatable() {
        assertThat(form(command("GET", "a")).repeatable()).isTrue();
        assertThat(form(command("SET", "a", "b")).repeatable()).isFalse();
        assertThat(form(command("SPOP", "a")).repeatable()).isFalse();
    }

    private static Form form(RedisCommand command) {
        return new RedisSession().form(command);
    }

    private static RedisCommand command(String name, String... arguments) {
        return new RedisCommand(
                name.toUpperCase(java.util.Locale.ROOT),
                Arrays.stream(arguments)
                        .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }
}
