package dev.understudy.sidecar.tee;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SamplingTest {
    private static final int MANY = 20_000;

    @Test
    void connections_areTakenInTheirShare() {
        for (double share : new double[] {0, 0.01, 0.25, 0.5, 0.9, 1}) {
            Sampling sampling = new Sampling(share, 1, null, List.of(), List.of());
            long taken = IntStream.rangeClosed(1, MANY)
                    .filter(sampling::takesConnection)
                    .count();
            assertThat(taken / (double) MANY).as("share " + share).isBetween(share - 0.02, share + 0.02);
        }
    }

    @Test
    void requests_areTakenInTheirShare_andTheSameOnesAgain() {
        Sampling sampling = new Sampling(1, 0.25, null, List.of(), List.of());
        Sampling same = new Sampling(1, 0.25, null, List.of(), List.of());
        long taken = IntStream.range(0, MANY)
                .filter(n -> {
                    boolean takes = sampling.takesRequest(request("/orders/" + n, "a", "b"));
                    assertThat(same.takesRequest(request("/orders/" + n, "c", "d")))
                            .isEqualTo(takes);
                    return takes;
                })
                .count();
        assertThat(taken / (double) MANY).isBetween(0.23, 0.27);
    }

    @Test
    void requests_byHeader_areAllOfOneUserOrNone() {
        Sampling sampling = new Sampling(1, 0.5, "x-user", List.of(), List.of());
        int users = 0;
        for (int user = 0; user < 200; user++) {
            boolean takes = sampling.takesRequest(request("/a", "X-User", "u" + user));
            assertThat(sampling.takesRequest(request("/b", "x-user", "u" + user)))
                    .isEqualTo(takes);
            users += takes ? 1 : 0;
        }
        assertThat(users).isBetween(60, 140);
    }

    @Test
    void paths_leaveOthersOut() {
        Sampling sampling = new Sampling(1, 1, null, List.of("/api/", "/v2"), List.of());
        assertThat(sampling.takesRequest(request("/api/x", "a", "b"))).isTrue();
        assertThat(sampling.takesRequest(request("/v2?x", "a", "b"))).isTrue();
        assertThat(sampling.takesRequest(request("/static/x", "a", "b"))).isFalse();
    }

    @Test
    void requestsForAnotherProtocol_areAlwaysTaken() {
        Sampling none = new Sampling(1, 0, null, List.of(), List.of());
        assertThat(none.takesRequest(request("/a", "Upgrade", "websocket"))).isTrue();
        assertThat(none.takesRequest(new RequestHead("CONNECT", "a:443", "HTTP/1.1", List.of())))
                .isTrue();
        assertThat(none.takesRequest(request("/a", "a", "b"))).isFalse();
    }

    @Test
    void shares_outOfRange_areRefused() {
        assertThatThrownBy(() -> new Sampling(1.1, 1, null, List.of(), List.of()))
                .hasMessage("connections: 1.1 (expected: 0 to 1)");
        assertThatThrownBy(() -> new Sampling(1, Double.NaN, null, List.of(), List.of()))
                .hasMessageStartingWith("requests: NaN");
    }

    @Test
    void keys_areChosenByTheirBeginnings_andByShare() {
        Sampling users = new Sampling(1, 1, null, List.of(), List.of("user:", "cart:"));

        assertThat(users.takesKeys(keys("user:1"))).isTrue();
        assertThat(users.takesKeys(keys("order:1", "cart:2"))).isTrue();
        assertThat(users.takesKeys(keys("order:1", "auser:2"))).isFalse();
        assertThat(users.takesKeys(keys())).isTrue();
        assertThat(Sampling.ALL.choosesKeys()).isFalse();

        Sampling half = new Sampling(1, 0.5, null, List.of(), List.of());
        long taken = IntStream.range(0, 1000)
                .filter(number -> half.takesKeys(keys("user:" + number)))
                .count();
        assertThat(taken).isBetween(400L, 600L);
    }

    private static List<byte[]> keys(String... keys) {
        return Stream.of(keys).map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
    }

    private static RequestHead request(String target, String name, String value) {
        return new RequestHead("GET", target, "HTTP/1.1", List.of(new Header(name, value)));
    }
}
