package dev.understudy.aggregator.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OwnAddressTest {
    private static final String HOST = "prices:8080";

    @ParameterizedTest
    @ValueSource(strings = {"http://prices:8080/a?b", "https://prices:8080", "//prices:8080#c", "HTTP://Prices:8080/a"})
    void addressOfTheRequest_isThatOfTheClient(String location) {
        String lower = location.replace("Prices", "prices");

        assertThat(moved(location, "debug:1")).isEqualTo(lower.replace("prices:8080", "debug:1"));
        assertThat(OwnAddress.taken(head(location), HOST).first("Location")).doesNotContainIgnoringCase("prices");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a",
                "a//prices:8080/b",
                "http://prices:80801/",
                "http://prices/",
                "http://other/?//prices:8080/",
                ""
            })
    void otherAddresses_stay(String location) {
        assertThat(moved(location, "debug:1")).isEqualTo(location);
    }

    @Test
    void clientWithoutHost_getsAPath() {
        assertThat(moved("http://prices:8080/a?b", null)).isEqualTo("/a?b");
        assertThat(moved("http://prices:8080?b", null)).isEqualTo("/?b");
    }

    @Test
    void requestWithoutHost_leavesTheHeadAsItIs() {
        ReplyHead head = head("http://prices:8080/");

        assertThat(OwnAddress.taken(head, null)).isSameAs(head);
    }

    private static @Nullable String moved(String location, @Nullable String host) {
        return OwnAddress.given(OwnAddress.taken(head(location), HOST), host).first("Location");
    }

    private static ReplyHead head(String location) {
        return new ReplyHead("HTTP/1.1", 302, "Found", List.of(new Header("Location", location)));
    }
}
