package dev.understudy.aggregator;

import dev.understudy.aggregator.match.CallerNews;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallerRouteTest {
    private static final String NEWS = "{\"run\":\"a\",\"sent\":1,\"roundTrip\":0,\"toldUntil\":1,\"calls\":[]}";

    /** Connections to two addresses can have the same ports at both ends. */
    @Test
    void portOfTwoUpstreams_isNotToldOf_butItIsADebugPort() {
        List<CallerNews> told = new ArrayList<>();
        CallerRoute route = new CallerRoute(told::add, List.of(5432, 6379, 5432), List.of(15_432, 6379, 15_432));

        Reply reply = route.take(
                new Call("/v1/callers", Map.of(), "application/json", NEWS.getBytes(StandardCharsets.UTF_8)));

        assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"debugPorts\":[15432,6379],\"ports\":[6379]}");
        assertThat(told).hasSize(1);
    }
}
