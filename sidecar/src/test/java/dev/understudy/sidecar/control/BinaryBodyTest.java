package dev.understudy.sidecar.control;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

final class BinaryBodyTest {
    private static final String PNG = "\u0089PNG\r\n\u001a\nrest";

    @Test
    void image_isNamed_byTypeAndFirstBytes() {
        assertThat(spell("image/png", PNG, 0)).containsEntry("image", "image/png");
        assertThat(spell("image/png; q=1", PNG, 0)).containsEntry("image", "image/png");
        assertThat(spell("image/png", PNG, 1)).as("not whole").containsEntry("image", "");
        assertThat(spell("image/png", "<svg onload=x>", 0)).as("no png").containsEntry("image", "");
        assertThat(spell("application/pdf", PNG, 0)).as("no image").containsEntry("image", "");
        assertThat(spell("image/png", "", 5)).as("nothing kept").containsEntry("image", "");
    }

    @Test
    void bytes_areAsTheyCame() {
        Map<String, Object> spelled = spell("application/octet-stream", "\u0000\u00ff", 0);
        assertThat(Base64.getDecoder().decode((String) requireNonNull(spelled.get("base64"))))
                .containsExactly(0, 255);
        assertThat(spelled).containsEntry("bodyBytes", 2L).containsEntry("bodyCut", false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/json",
                "image/svg+xml",
                "application/xml",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "",
            })
    void whatMayHaveSecretsByName_isNone(String type) {
        assertThat(BinaryBody.is(reply(type, "password=x", 0))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"application/octet-stream, x, true", "image/jpeg, x, true", "image/jpeg, '', false"})
    void others_areOne_ifThereIsAny(String type, String body, boolean is) {
        assertThat(BinaryBody.is(reply(type, body, 0))).isEqualTo(is);
    }

    private static Map<String, Object> spell(String type, String body, int more) {
        return BinaryBody.spell(reply(type, body, more));
    }

    private static ReplyExcerpt reply(String type, String body, int more) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        return new ReplyExcerpt(
                200, "OK", List.of(new Header("content-type", type)), bytes, (long) bytes.length + more);
    }
}
