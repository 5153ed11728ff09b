package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MaskingTest {
    private final Masking masking = new Masking(Set.of("X-Tenant"));

    private String shown(String path, String value, @Nullable Noise noise) {
        Difference difference = new Difference(path, Difference.Type.VALUE, value, value + "2", noise);
        return masking.mask(new Verdict(Kind.DIFFERENT, null, List.of(difference)))
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header.Set-Cookie[JSESSIONID]",
                "header.Authorization",
                "header.x-api-key",
                "header.X-Tenant",
                "body.user.password",
                "body.newPassword",
                "body.secrets[0].value",
                "body.accessToken",
                "body[\"api_key\"]",
                "body.card.pin",
            })
    void secretPlace_showsNoValue(String path) {
        assertThat(shown(path, "hunter", null)).doesNotContain("hunter").contains(Masking.MASK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"body.user.name", "header.Content-Type", "body.shipping", "body.items[3].price", "status"})
    void otherPlaces_showTheirValue(String path) {
        assertThat(shown(path, "hunter", null)).contains("hunter").doesNotContain(Masking.MASK);
    }

    @Test
    void identities_areNotShown() {
        assertThat(shown("body.id", "5F1C9A07B3E24D66", Noise.IDENTITY)).doesNotContain("5F1C9A07B3E24D66");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "password=hunter2&a=b | password=[masked]&a=b",
                "{\"password\":\"hunter2\",\"a\":1} | {\"password\":[masked],\"a\":1}",
                "Authorization: Bearer abc.def | Authorization: [masked] [masked]",
                "sent Bearer abcdef123 today | sent Bearer [masked] today",
                "nothing to see here | nothing to see here",
                "a=b&c=d | a=b&c=d",
            })
    void secretsWithinATextOrTarget_areMasked(String text, String expected) {
        assertThat(masking.within(text)).isEqualTo(expected);
    }

    @Test
    void target_keepsWhatIsNoSecret() {
        assertThat(masking.target("/orders?token=abc&page=2")).isEqualTo("/orders?token=[masked]&page=2");
        assertThat(masking.target("/in;jsessionid=ABC?x=1")).isEqualTo("/in;jsessionid=[masked]?x=1");
        assertThat(masking.target("/orders/7")).isEqualTo("/orders/7");
        assertThat(masking.header("Cookie", "a=b")).isEqualTo(Masking.MASK);
        assertThat(masking.header("Accept", "text/html")).isEqualTo("text/html");
    }
}
