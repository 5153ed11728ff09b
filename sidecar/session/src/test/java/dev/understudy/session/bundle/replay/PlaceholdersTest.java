package dev.understudy.session.bundle.replay;

import dev.understudy.session.bundle.BundleException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PlaceholdersTest {
    private final Placeholders filled = new Placeholders(
            8080,
            Map.of(
                    "prices", new InetSocketAddress("127.0.0.1", 81),
                    "cache:eu $1", new InetSocketAddress("127.0.0.1", 82)));

    @ParameterizedTest
    @CsvSource({
        "--port={port}, --port=8080",
        "{port}{port}, 80808080",
        "http://{upstream:prices}/v1, http://127.0.0.1:81/v1",
        "{upstream:prices:host}/{upstream:prices:port}, 127.0.0.1/81",
        "{upstream:cache:eu $1}, 127.0.0.1:82",
        "{upstream:cache:eu $1:port}, 82",
        "'{\"json\": {port}, \"a\": {}}', '{\"json\": 8080, \"a\": {}}'",
        "{upstream:} {upstream} $1 \\2 {Port}, {upstream:} {upstream} $1 \\2 {Port}"
    })
    void placeholders_areFilledIn_andAllElseStays(String word, String expected) throws Exception {
        assertThat(filled.fill(word)).isEqualTo(expected);
    }

    @Test
    void unknownUpstream_isNamedWithThoseThatAreThere() {
        assertThatThrownBy(() -> filled.fill("--db={upstream:orders:port}"))
                .isInstanceOf(BundleException.class)
                .hasMessage("{upstream:orders:port}: no such upstream (expected: one of [cache:eu $1, prices])");
    }

    @Test
    void word_namesTheUpstreamsThatItHas() {
        assertThat(Placeholders.names("--db=jdbc:mysql://{upstream:db:host}:{upstream:db:port}/x", "db"))
                .isTrue();
        assertThat(Placeholders.names("{upstream:db}", "db")).isTrue();
        assertThat(Placeholders.names("{upstream:db2} db", "db")).isFalse();
    }
}
