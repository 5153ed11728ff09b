package dev.understudy.agent.orders;

import dev.understudy.agent.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("any-jdk")
final class OrderSheetTest {
    private static final String FULL =
            "{\"agents\":[{\"name\":\"a\",\"problems\":[\"b\"]}],\"revision\":7,\"orders\":{\"probes\":{\"rules\":"
                    + "[{\"pattern\":\"a.*#b\",\"armed\":true}],\"none\":null},\"patch\":{\"id\":\"c0ffee\","
                    + "\"bytes\":1.5}}}";

    @Test
    void orders_areReadKindByKind() throws IOException {
        OrderSheet sheet = OrderSheet.parse(bytes(FULL));

        assertThat(sheet.revision()).isEqualTo(7);
        assertThat(sheet.kinds())
                .isEqualTo(Map.of(
                        "probes",
                        Map.of("rules", List.of(Map.of("pattern", "a.*#b", "armed", true))),
                        "patch",
                        Map.of("id", "c0ffee", "bytes", 1.5)));
    }

    @Test
    void somethingElse_isRefused() {
        for (String other : List.of(
                "",
                "[]",
                "7",
                "{\"orders\":{}}",
                "{\"revision\":1,\"orders\":{\"probes\":3}}",
                "{\"revision\":1,\"orders\":{\"probes\":{\"a\":[[[[[[[[[[1]]]]]]]]]]}}}",
                "{\"revision\":1,\"orders\":{\"probes\":{\"a\":[1")) {
            assertThatThrownBy(() -> OrderSheet.parse(bytes(other))).as(other).isInstanceOf(IOException.class);
        }
    }

    @Test
    void damagedSheets_areReadOrRefused_neverWorse() {
        for (int seed = 0; seed < Fuzz.rounds(20_000); seed++) {
            Random random = new Random(seed);
            byte[] damaged = bytes(FULL);
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                damaged[random.nextInt(damaged.length)] = (byte) "{}[]\",:0e-n\\ \0\u007f".charAt(random.nextInt(14));
            }
            byte[] cut =
                    Arrays.copyOf(damaged, damaged.length - random.nextInt(random.nextBoolean() ? 1 : damaged.length));
            try {
                assertThat(OrderSheet.parse(cut).revision()).as("seed " + seed).isNotNegative();
            } catch (IOException refused) {
                assertThat(refused.getMessage()).as("seed " + seed).isNotEmpty();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
