package dev.understudy.sidecar.inbound;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class LinkStateTest {
    @Test
    void aggregatorThatStartsLater_isNoWarning() {
        LinkState state = LinkState.STARTING.unreachable();

        assertThat(state.level()).isEqualTo(Level.INFO);
        assertThat(state.words("http://a", "why")).contains("http://a", "(why)", "normal while it starts");
        assertThat(state.unreachable()).isSameAs(state);
    }

    @Test
    void aggregatorThatGoesAway_isAWarning() {
        LinkState state = LinkState.UP.unreachable();

        assertThat(state.level()).isEqualTo(Level.WARN);
        assertThat(state.unreachable()).isSameAs(state);
        assertThat(LinkState.REFUSED.level()).isEqualTo(Level.WARN);
        assertThat(LinkState.UP.words("http://a", "")).contains("http://a").doesNotContain("null");
    }

    @Test
    void reason_isNeverNull() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build();
        ConnectException refused = catchThrowableOfType(
                ConnectException.class,
                () -> HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()));

        assertThat(LinkState.words(refused)).isNotBlank().doesNotContain("null");
        assertThat(LinkState.words(new ConnectException())).isEqualTo("nobody accepts connections there");
        assertThat(LinkState.words(new IOException())).isEqualTo("IOException");
    }
}
