package dev.understudy.sidecar.label;

import dev.understudy.divergence.wire.http.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ReplyConditionTest {
    private static final ReplyFacts REPLY = new ReplyFacts(
            503,
            List.of(new Header("X-Cache", "MISS from b"), new Header("Set-Cookie", "a=1")),
            "{\"total\":-1.50,\"items\":[{\"id\":\"7\"},null],\"error\":{\"code\":\"E1\"}}"
                    .getBytes(StandardCharsets.UTF_8),
            2_100,
            "");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status 503",
                "status 5xx",
                "header x-cache",
                "header X-Cache: MISS*",
                "header Set-Cookie: a=1",
                "text \"code\":\"E1\"",
                "json /total = -1.5",
                "json /total < 0",
                "json /total <= -1.50",
                "json /items/0/id = 7",
                "json /items/0/id = \"7\"",
                "json /items/1 = null",
                "json /error",
                "json /error/code != E2",
                "json /",
                "slower 2s",
                "reply",
                "no status 200",
                "no header Retry-After",
                "no json /items/2",
                "no text fine"
            })
    void whatHolds_holds(String rule) {
        assertThat(ReplyCondition.of(rule).holds(REPLY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status 500",
                "status 4xx",
                "header X-Cache: MISS",
                "header Cache",
                "text Total",
                "json /total > 0",
                "json /total = x",
                "json /error/code < 3",
                "json /missing",
                "json /missing != 3",
                "slower 3s",
                "no reply",
                "no json /error"
            })
    void whatDoesNot_doesNot(String rule) {
        assertThat(ReplyCondition.of(rule).holds(REPLY)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "500",
                "status",
                "status 600000",
                "status 0xx",
                "header",
                "header a b",
                "text",
                "json",
                "json total < 0",
                "json /total < x",
                "json /a b",
                "slower",
                "slower soon",
                "reply 3",
                "no",
                "no no reply",
                "body x"
            })
    void whatIsNone_isRefusedWithWhatIsExpected(String wrong) {
        assertThatThrownBy(() -> ReplyCondition.of(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: status 500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[[[[", "{\"a\":", "nonsense", "\u0000"})
    void bodiesThatAreNoJson_haveNoValues(String body) {
        ReplyFacts reply = new ReplyFacts(200, List.of(), body.getBytes(StandardCharsets.UTF_8), 1, "");
        assertThat(ReplyCondition.of("json /a").holds(reply)).isFalse();
        assertThat(ReplyCondition.of("no json /a").holds(reply)).isTrue();
    }

    @Test
    void deepBodies_areNoJson() {
        ReplyFacts reply = new ReplyFacts(200, List.of(), "[".repeat(100_000).getBytes(StandardCharsets.UTF_8), 1, "");
        assertThat(ReplyCondition.of("json /0").holds(reply)).isFalse();
    }

    @Test
    void aReplyThatNeverCame_isSlow_andNone() {
        ReplyFacts none = ReplyFacts.none("no reply within 5000 ms", 5_000);
        assertThat(ReplyCondition.of("slower 2s").holds(none)).isTrue();
        assertThat(ReplyCondition.of("no reply").holds(none)).isTrue();
        assertThat(ReplyCondition.of("no text x").holds(none)).isTrue();
    }
}
