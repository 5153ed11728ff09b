package dev.understudy.session.bundle.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BundleCallsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FAITHFUL = upstream("cache", 30, 0, 0, 0);

    @Test
    void callsThatAllGotTheirReply_areFaithful() throws Exception {
        BundleCalls calls = BundleCalls.of(list(FAITHFUL, upstream("prices", 0, 0, 0, 0)), list(), Set.of("prices"));

        assertThat(calls.isFaithful()).isTrue();
        assertThat(calls.summary()).isEqualTo("faithful: each of 30 calls got a recorded reply");
        assertThat(calls.lines()).isEmpty();
    }

    /** It may have asked a real one. */
    @Test
    void upstreamThatIsntAsked_isNotFaithful() throws Exception {
        BundleCalls calls = BundleCalls.of(list(FAITHFUL, upstream("prices", 0, 0, 0, 0)), list(), Set.of());

        assertThat(calls.isFaithful()).isFalse();
        assertThat(calls.summary()).startsWith("not faithful: the service asked nothing of prices");
        assertThat(calls.lines()).containsExactly("nothing was asked of prices (expected: calls, or --without prices)");
    }

    @Test
    void missedCalls_areNamedWithWhomTheyAsked() throws Exception {
        JsonNode kinds =
                list("{\"upstream\":\"prices\",\"form\":\"GET /v2\\nHost\",\"why\":\"never sent\",\"count\":4}");
        BundleCalls calls = BundleCalls.of(list(FAITHFUL, upstream("prices", 10, 4, 0, 0)), kinds, Set.of());

        assertThat(calls.isFaithful()).isFalse();
        assertThat(calls.summary()).startsWith("not faithful: 4 of 40 calls got no recorded reply");
        assertThat(calls.lines()).containsExactly("no reply of prices, 4 times: GET /v2 Host (never sent)");
    }

    @Test
    void repliesThatCantBeGiven_andConnectionsThatAreRefused_areNotFaithful() throws Exception {
        BundleCalls unfit = BundleCalls.of(list(upstream("prices", 10, 0, 2, 0)), list(), Set.of());
        assertThat(unfit.isFaithful()).isFalse();
        assertThat(unfit.lines())
                .containsExactly("no reply of prices, 2 times: the recorded one can't be given to this client");
        BundleCalls refused = BundleCalls.of(list(upstream("prices", 10, 0, 0, 3)), list(), Set.of());
        assertThat(refused.isFaithful()).isFalse();
        assertThat(refused.lines()).containsExactly("prices closed or refused 3 connections: a limit was met");
    }

    private static String upstream(String name, int requests, int missed, int unfit, int refused) {
        return "{\"name\":\"%s\",\"debug\":{\"requests\":%d,\"missed\":%d,\"unfit\":%d,\"refused\":%d}}"
                .formatted(name, requests, missed, unfit, refused);
    }

    private static JsonNode list(String... entries) throws JsonProcessingException {
        return JSON.readTree("[" + String.join(",", entries) + "]");
    }
}
