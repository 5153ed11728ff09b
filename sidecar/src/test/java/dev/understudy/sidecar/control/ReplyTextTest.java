package dev.understudy.sidecar.control;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ReplyTextTest {
    private final ReplyText text = new ReplyText(new Masking(Set.of("nickname")));

    @Test
    void json_isInLines_andMasked() {
        Map<String, Object> spelled =
                spell("application/json", "{\"a\":1,\"nickname\":\"bob\",\"credentials\":{\"x\":\"plain\"}}");

        assertThat((String) requireNonNull(spelled.get("body")))
                .startsWith("{\n  \"a\" : 1,\n")
                .contains("[masked]")
                .doesNotContain("bob", "plain");
    }

    @Test
    void headers_areMasked() {
        Map<String, Object> spelled = spell("text/plain", "x", new Header("Set-Cookie", "SID=abcdefgh12345"));

        assertThat(spelled.toString()).contains("Set-Cookie").doesNotContain("abcdefgh12345");
    }

    @Test
    void request_isMasked_andHasNoStatus() {
        String raw = "POST /in HTTP/1.1\r\nHost: shop\r\nCookie: SID=abcdefgh12345\r\nAuthorization: Bearer zyxwv\r\n"
                + "Content-Type: application/json\r\nContent-Length: 26\r\n\r\n{\"a\":1,\"password\":\"plain\"}";

        Map<String, Object> spelled = requireNonNull(text.spellRequest(raw.getBytes(StandardCharsets.UTF_8)));

        assertThat(spelled).containsOnlyKeys("headers", "body", "bodyHidden", "bodyBytes");
        assertThat(spelled.toString())
                .contains("Host", "shop", "Authorization", "\"a\" : 1", "[masked]")
                .doesNotContain("abcdefgh12345", "zyxwv", "plain");
        assertThat(text.spellRequest(null)).isNull();
        assertThat(text.spellRequest("PRI * HTTP/2.0\r\n".getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/xml", "image/png", "application/octet-stream", "text/plain; charset=odd", ""})
    void bodyWhoseSecretsCantBeFound_isNotShown(String type) {
        Map<String, Object> spelled = spell(type, "<password>plain</password>");

        assertThat(spelled.toString()).doesNotContain("plain<");
        assertThat((String) requireNonNull(spelled.get("bodyHidden"))).isNotEmpty();
        assertThat(spelled).containsEntry("bodyBytes", 26L);
    }

    @Test
    void cutText_losesItsLastWord_whichMayBeTheStartOfASecret() {
        byte[] body = "first second-is-cu".getBytes(StandardCharsets.UTF_8);
        Map<String, Object> spelled = requireNonNull(text.spell(
                new ReplyExcerpt(200, "OK", List.of(new Header("Content-Type", "text/plain")), body, 1_000)));

        assertThat(spelled).containsEntry("body", "first ").containsEntry("bodyCut", true);
    }

    @Test
    void damagedCoding_isNamed() {
        Map<String, Object> spelled = spell("text/plain", "not gzip", new Header("Content-Encoding", "gzip"));

        assertThat((String) requireNonNull(spelled.get("bodyHidden"))).contains("DAMAGED");
    }

    private Map<String, Object> spell(String type, String body, Header... more) {
        List<Header> headers = new ArrayList<>(List.of(more));
        headers.add(new Header("Content-Type", type));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return requireNonNull(text.spell(new ReplyExcerpt(200, "OK", headers, bytes, bytes.length)));
    }
}
