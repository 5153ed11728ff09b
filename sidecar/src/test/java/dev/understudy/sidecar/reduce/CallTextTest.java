package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.reduce.InputPart.Kind;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of a request's parts, which may be secrets. */
final class CallTextTest {
    private static final String SECRET = "c49e1a07f38d42b5962e7fd0";

    private final CallText texts = new CallText(new Masking(Set.of("X-Customer")));

    @ParameterizedTest
    @CsvSource({
        "COOKIE, sid",
        "COOKIE, theme",
        "HEADER, Authorization",
        "HEADER, X-Customer",
        "PARAMETER, access_token",
        "PARAMETER, code",
        "FORM_FIELD, password",
        "JSON, /session/id",
        "JSON, /tokens/0",
        "PIECE, ''"
    })
    void secret_isNotShown_whateverPartHoldsIt(Kind kind, String name) {
        assertThat(texts.part(new InputPart(kind, name, SECRET)))
                .startsWith(kind == Kind.PIECE ? "a piece: 24 characters" : "")
                .contains(name)
                .doesNotContain(SECRET);
    }

    @Test
    void headerOfSeveralWords_isMaskedWhole() {
        assertThat(texts.part(new InputPart(Kind.HEADER, "Authorization", "Token " + SECRET + " more")))
                .isEqualTo("header Authorization: [masked]");
    }

    @Test
    void otherParts_areShown_asTheyAre() {
        assertThat(texts.part(InputPart.pair(Kind.PARAMETER, "sort=price"))).isEqualTo("parameter sort=price");
        assertThat(texts.part(InputPart.pair(Kind.PARAMETER, "flag"))).isEqualTo("parameter flag");
        assertThat(texts.part(new InputPart(Kind.JSON, "/items/0/n", "-1"))).isEqualTo("JSON /items/0/n = -1");
        assertThat(texts.part(new InputPart(Kind.HEADER, "X-Currency", "EUR"))).isEqualTo("header X-Currency: EUR");
        assertThat(texts.part(new InputPart(Kind.HEADER, "X-Long", "l".repeat(5_000))))
                .hasSize(204);
    }
}
