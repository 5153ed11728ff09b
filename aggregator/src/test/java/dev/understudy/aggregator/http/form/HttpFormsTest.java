package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HttpFormsTest {
    @ParameterizedTest
    @ValueSource(strings = {"Accept", "AUTHORIZATION", "content-type", "Cookie", "If-None-Match", "range"})
    void chosenHeader_counts(String name) {
        assertThat(form("GET", "/a", "", name, "1")).isNotEqualTo(form("GET", "/a", "", name, "2"));
        assertThat(form("GET", "/a", "", name, "1")).isNotEqualTo(form("GET", "/a", ""));
        assertThat(form("GET", "/a", "", name, "1"))
                .isEqualTo(form("GET", "/a", "", name.toLowerCase(java.util.Locale.ROOT), "1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "traceparent",
                "tracestate",
                "User-Agent",
                "Date",
                "Host",
                "Connection",
                "Upgrade",
                "HTTP2-Settings",
                "Content-Length",
                "Idempotency-Key"
            })
    void otherHeader_doesNotCount(String name) {
        assertThat(form("GET", "/a", "", name, "1")).isEqualTo(form("GET", "/a", "", name, "2"));
    }

    @Test
    void methodTargetAndBody_count() {
        Form form = form("POST", "/a?b=1", "body");

        assertThat(form("PUT", "/a?b=1", "body")).isNotEqualTo(form);
        assertThat(form("POST", "/a?b=2", "body")).isNotEqualTo(form);
        assertThat(form("POST", "/a?b=1", "bodx")).isNotEqualTo(form);
        assertThat(form("POST", "/a?b=1", "body")).isEqualTo(form);
    }

    @Test
    void headersThatChangePlaces_dontCountAsTheSame() {
        assertThat(form("GET", "/a", "", "Accept", "x")).isNotEqualTo(form("GET", "/a", "", "Accept-Encoding", "x"));
    }

    @Test
    void text_showsNoSecrets() {
        Form form = form(
                "POST",
                "/login?password=s3cret&user=1",
                "{\"password\":\"s3cret\"}",
                "Authorization",
                "Bearer s3cret",
                "Cookie",
                "session=s3cret",
                "Content-Type",
                "application/json");

        assertThat(form.text())
                .startsWith("POST /login")
                .contains("21 bytes of application/json #")
                .doesNotContain("s3cret");
    }

    @Test
    void read_isRepeatable() {
        assertThat(form("GET", "/a", "").repeatable()).isTrue();
        assertThat(form("POST", "/a", "").repeatable()).isFalse();
    }

    private static Form form(String method, String target, String body, String... headers) {
        return form(FormRule.DEFAULT, method, target, body, headers);
    }

    static Form form(FormRule rule, String method, String target, String body, String... headers) {
        List<Header> list = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            list.add(new Header(headers[i], headers[i + 1]));
        }
        UpstreamHttpRequest request = new UpstreamHttpRequest(new RequestHead(method, target, "HTTP/1.1", list), rule);
        request.body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        return request.form();
    }
}
