package dev.understudy.sidecar.suspect;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class MethodsTest {
    private final Methods methods = new Methods();

    @Test
    void longNames_haveOneRoom() {
        for (int batch = 0; batch < 12; batch++) {
            String prefix = "m" + batch + "x".repeat(900);
            String names = IntStream.range(0, 1_000)
                    .mapToObj(n -> "\"" + n + "\":\"" + prefix + n + "\"")
                    .collect(Collectors.joining(","));
            methods.of(read("{\"name\":\"a\",\"methods\":{" + names + "}}"), 0);
        }

        long characters = IntStream.range(0, methods.count())
                .mapToLong(number -> methods.name(number).length())
                .sum();
        assertThat(characters).isBetween(Methods.MOST_CHARACTERS - 2_000L, (long) Methods.MOST_CHARACTERS);
    }

    @Test
    void agentWithALongName_isRefused() {
        assertThatThrownBy(() -> read("{\"name\":\"" + "a".repeat(201) + "\"}"))
                .hasMessageContaining("at most 200 characters");
    }

    private static ObservedBatch read(String json) {
        return ObservedBatch.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
