package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.command.IgnoredArgument;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisFormsTest {
    private static final Agreed PLAIN = Agreed.on(0, 2);

    @Test
    void commandName_countsWithoutItsCase() {
        RedisUpstreamSession session = new RedisUpstreamSession(RedisRule.DEFAULT, new ClientIds().ofDebug());

        assertThat(session.form(command("get", "a"))).isEqualTo(session.form(command("GET", "a")));
        assertThat(session.form(command("GET", "A"))).isNotEqualTo(session.form(command("GET", "a")));
    }

    @Test
    void arguments_dontRunIntoEachOther() {
        assertThat(form(command("SET", "ab", "c"))).isNotEqualTo(form(command("SET", "a", "bc")));
        assertThat(RedisForms.of(
                        List.of(command("SET", "a", "b"), command("GET", "c")), List.of(), PLAIN, RedisRule.DEFAULT))
                .isNotEqualTo(RedisForms.of(
                        List.of(command("SET", "a"), command("b", "GET", "c")), List.of(), PLAIN, RedisRule.DEFAULT));
    }

    @Test
    void session_isPartOfTheForm() {
        RedisCommand get = command("GET", "a");

        assertThat(RedisForms.of(get, Agreed.on(0, 2), RedisRule.DEFAULT))
                .isNotEqualTo(RedisForms.of(get, Agreed.on(1, 2), RedisRule.DEFAULT));
        assertThat(RedisForms.of(get, Agreed.on(0, 2), RedisRule.DEFAULT))
                .isNotEqualTo(RedisForms.of(get, Agreed.on(256, 2), RedisRule.DEFAULT));
        assertThat(RedisForms.of(get, Agreed.on(0, 2), RedisRule.DEFAULT))
                .isNotEqualTo(RedisForms.of(get, Agreed.on(0, 3), RedisRule.DEFAULT));
        assertThat(RedisForms.of(get, Agreed.on(1, 3), RedisRule.DEFAULT).text())
                .isEqualTo("GET a [db 1] [RESP3]");
    }

    @Test
    void session_followsHelloSelectAndReset() {
        RedisUpstreamSession session = new RedisUpstreamSession(RedisRule.DEFAULT, new ClientIds().ofDebug());
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

    @Test
    void ignoredArgument_countsForItsCommandOnly() {
        RedisRule rule = new RedisRule(
                List.of(IgnoredArgument.of("publish 2"), IgnoredArgument.of("XADD 3+")), false, List.of());

        assertThat(form(command("PUBLISH", "news", "1"), rule)).isEqualTo(form(command("PUBLISH", "news", "22"), rule));
        assertThat(form(command("PUBLISH", "news", "1"), rule))
                .isNotEqualTo(form(command("PUBLISH", "sport", "1"), rule));
        assertThat(form(command("PUBLISH", "news", "1"), rule))
                .isNotEqualTo(form(command("PUBLISH", "news", ""), RedisRule.DEFAULT));
        assertThat(form(command("XADD", "s", "*", "a", "1"), rule))
                .isEqualTo(form(command("XADD", "s", "*", "b", "2"), rule));
        assertThat(form(command("XADD", "s", "*", "a", "1"), rule))
                .isNotEqualTo(form(command("XADD", "s", "*", "a", "1", "b", "2"), rule));
        assertThat(form(command("SET", "a", "1"), rule)).isNotEqualTo(form(command("SET", "a", "2"), rule));
        assertThat(rule.text()).isEqualTo("command; arguments without PUBLISH 2, XADD 3+");
    }

    @Test
    void timesToLive_canBeLeftOut() {
        RedisRule rule = new RedisRule(List.of(), true, List.of());

        assertThat(form(command("SET", "a", "1", "NX", "EX", "60"), rule))
                .isEqualTo(form(command("SET", "a", "1", "NX", "EX", "59"), rule))
                .isNotEqualTo(form(command("SET", "a", "1", "NX", "PX", "60"), rule))
                .isNotEqualTo(form(command("SET", "a", "2", "NX", "EX", "60"), rule));
        assertThat(form(command("SET", "EX", "EX", "1"), rule))
                .isNotEqualTo(form(command("SET", "EX", "EX", "2"), rule));
        assertThat(form(command("SET", "EX", "a"), rule)).isNotEqualTo(form(command("SET", "EX", "b"), rule));
        assertThat(form(command("PEXPIREAT", "a", "17", "NX"), rule))
                .isEqualTo(form(command("PEXPIREAT", "a", "18", "NX"), rule))
                .isNotEqualTo(form(command("PEXPIREAT", "b", "17", "NX"), rule));
        assertThat(form(command("EXPIRE", "a"), rule)).isNotEqualTo(form(command("EXPIRE", "b"), rule));
    }

    @Test
    void keysWithAnIgnoredRest_areOneKey() {
        RedisRule rule = new RedisRule(List.of(), false, List.of("session:", "lock:"));

        assertThat(form(command("GET", "session:1"), rule))
                .isEqualTo(form(command("GET", "session:2"), rule))
                .isNotEqualTo(form(command("GET", "lock:1"), rule))
                .isNotEqualTo(form(command("GET", "user:1"), rule))
                .isNotEqualTo(form(command("GET", ""), rule));
        assertThat(form(command("SET", "session:1", "session:2"), rule))
                .isNotEqualTo(form(command("SET", "session:1", "session:3"), rule));
        assertThat(rule.text()).isEqualTo("command; arguments; of keys like session:*, lock:* only so much");
    }

    private static Form form(RedisCommand command, RedisRule rule) {
        return new RedisUpstreamSession(rule, new ClientIds().ofDebug()).form(command);
    }

    private static Form form(RedisCommand command) {
        return new RedisUpstreamSession(RedisRule.DEFAULT, new ClientIds().ofDebug()).form(command);
    }

    private static RedisCommand command(String name, String... arguments) {
        return new RedisCommand(
                name.toUpperCase(java.util.Locale.ROOT),
                Arrays.stream(arguments)
                        .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }
}
