package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GreetingTest {
    private static final StartupPacket CLIENT = new StartupPacket(
            StartupPacket.Kind.STARTUP,
            3 << 16,
            Map.of("user", "anybody", "timezone", "Asia/Tokyo", "datestyle", "ISO"),
            0,
            0);

    @Test
    void parameters_areThoseOfProductionsServer_butForWhatTheClientHasChosen() {
        ServerParameters server = new ServerParameters(Map.of(
                "server_version", "17.1",
                "application_name", "production's",
                "session_authorization", "app",
                "TimeZone", "UTC",
                "search_path", "new in this version"));

        assertThat(Greeting.parameters(server, CLIENT))
                .containsEntry("server_version", "17.1")
                .containsEntry("search_path", "new in this version")
                .containsEntry("integer_datetimes", "on")
                .containsEntry("TimeZone", "Asia/Tokyo")
                .containsEntry("DateStyle", "ISO, MDY")
                .containsEntry("application_name", "")
                .containsEntry("session_authorization", "anybody");
    }
}
