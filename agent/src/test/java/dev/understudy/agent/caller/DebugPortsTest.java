package dev.understudy.agent.caller;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class DebugPortsTest {
    @Test
    void ports_areThoseOfTheReply_whateverElseIsInIt() throws IOException {
        assertThat(read("{\"ports\":[5433,6380,5433]}")).containsExactlyInAnyOrder(5433, 6380);
        assertThat(read("{\"ports\":[]}")).isEmpty();
        assertThat(read("{\"more\":{\"ports\":[1]},\"ports\":[65535],\"and\":[[2]],\"last\":null}"))
                .containsExactly(65_535);
    }

    @Test
    void portsWhereTheAggregatorAnswers_areAListOfTheirOwn() throws IOException {
        String reply = "{\"debugPorts\":[15432,16379],\"ports\":[5432]}";
        assertThat(read(reply)).containsExactly(5432);
        assertThat(answered(reply)).containsExactlyInAnyOrder(15_432, 16_379);
        assertThat(answered("{\"ports\":[5432]}")).as("by an older one").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"ports\":null}",
                "{\"ports\":5433}",
                "{\"ports\":[\"5433\"]}",
                "{\"ports\":[0]}",
                "{\"ports\":[65536]}",
                "{\"ports\":[-1]}",
                "{\"ports\":[99999999999999999999]}",
                "{\"ports\":[1.5]}",
                "{\"ports\":[[1]]}",
                "{\"ports\":[1",
                "{\"ports\":[1]",
                "{\"debugPorts\":[1]}",
                "{\"ports\":[1],\"debugPorts\":1}",
                "{\"ports\":[1],\"debugPorts\":[65536]}",
                "<html>"
            })
    void anythingElse_isNoReply(String reply) {
        assertThatThrownBy(() -> read(reply)).isInstanceOf(IOException.class);
    }

    @Test
    void deepNesting_isNoReply() {
        assertThatThrownBy(() -> read("{\"a\":" + "[".repeat(60_000))).isInstanceOf(IOException.class);
    }

    private static Set<Integer> answered(String reply) throws IOException {
        return DebugPorts.read(reply.getBytes(StandardCharsets.UTF_8)).answered;
    }

    private static Set<Integer> read(String reply) throws IOException {
        return DebugPorts.read(reply.getBytes(StandardCharsets.UTF_8)).noted;
    }
}
