package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SessionNamesTest {
    private static final String OURS = "5F1C9A07B3E24D6688A1C0FFEE012345";
    private static final String THEIRS = "0A9B8C7D6E5F40312233445566778899";

    private final IdentityMap identities = new IdentityMap(100);
    private final SessionNames names = new SessionNames(identities);

    private @Nullable String name(String header, String value) {
        return names.of(new RequestHead("GET", "/", "HTTP/1.1", List.of(new Header(header, value))));
    }

    @Test
    void session_hasOneName_whateverStandsBeside_andItTellsNothing() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();

        String name = name("Cookie", "lang=de; JSESSIONID=" + OURS);
        assertThat(name).matches("[0-9a-f]{12}").isEqualTo(name("Cookie", "JSESSIONID=\"" + OURS + "\"; a=b"));
        assertThat(name).isEqualTo(name("Authorization", "Bearer " + OURS));
        assertThat(new SessionNames(identities)
                        .of(new RequestHead("GET", "/", "HTTP/1.1", List.of(new Header("Cookie", "a=" + OURS)))))
                .isNotEqualTo(name);
    }

    @Test
    void whatBothJvmsDontKnowTheClientBy_isNoSession() {
        assertThat(name("Cookie", "consent=" + OURS)).isNull();
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        assertThat(name("Cookie", "lang=de;;=; x")).isNull();
        assertThat(name("X-Other", OURS)).isNull();
    }
}
