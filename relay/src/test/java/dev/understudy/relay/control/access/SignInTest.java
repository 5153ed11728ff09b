package dev.understudy.relay.control.access;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class SignInTest {
    private static final String HOST = "localhost:9090";
    private static final AccessToken READER = new AccessToken("reader", Role.READ, "t-read");
    private static final AccessToken ROOT = new AccessToken("root", Role.ADMIN, "t-admin");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final SignIn signIn = signIn(READER, ROOT);

    @Test
    void code_isGoodOnce() {
        String code = requireNonNull(signIn.issue(new Caller("reader", Role.READ)));

        assertThat(signIn.redeem(code)).isEqualTo(READER);
        assertThat(signIn.redeem(code)).isNull();
    }

    @Test
    void code_isGoodForAMinute() {
        String inTime = requireNonNull(signIn.issue(new Caller("reader", Role.READ)));
        String late = requireNonNull(signIn.issue(new Caller("reader", Role.READ)));

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
        assertThat(signIn.redeem(inTime)).isNotNull();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(signIn.redeem(late)).isNull();
    }

    @Test
    void code_thatNobodyIssued_isNobodys() {
        assertThat(signIn.redeem("")).isNull();
        assertThat(signIn.redeem("guessed")).isNull();
        assertThat(signIn.issue(Caller.anonymous(Role.ADMIN))).isNull();
    }

    @Test
    void codes_areBounded_andTheOldestGoes() {
        String oldest = requireNonNull(signIn.issue(new Caller("root", Role.ADMIN)));
        String newest = "";
        for (int n = 0; n < 16; n++) {
            newest = requireNonNull(signIn.issue(new Caller("root", Role.ADMIN)));
        }

        assertThat(signIn.redeem(oldest)).isNull();
        assertThat(signIn.redeem(newest)).isEqualTo(ROOT);
    }

    @Test
    void cookie_isHiddenFromScripts_andStaysOnItsSite() {
        assertThat(signIn.cookie(READER, HOST))
                .startsWith("understudy-9090=")
                .contains("; HttpOnly", "; SameSite=Strict", "; Path=/")
                .doesNotContain("t-read", "Secure");
        signIn.open(new AccessTokens(List.of(READER)), true);
        assertThat(signIn.cookie(READER, "[::1]"))
                .startsWith("understudy-default=")
                .contains("; Secure");
    }

    @Test
    void cookie_standsForItsTokensRole_inTheNextProcessToo() {
        String cookie = value(signIn.cookie(READER, HOST));

        assertThat(signIn.find("a=b; " + cookie, HOST)).isEqualTo(new Caller("reader", Role.READ));
        assertThat(signIn(READER).find(cookie, HOST)).isEqualTo(new Caller("reader", Role.READ));
    }

    @Test
    void cookie_endsWithItsTime_itsToken_andItsRole() {
        String cookie = value(signIn.cookie(READER, HOST));

        assertThat(signIn(ROOT).find(cookie, HOST)).isNull();
        assertThat(signIn(new AccessToken("reader", Role.READ, "renewed")).find(cookie, HOST))
                .isNull();
        assertThat(signIn(new AccessToken("reader", Role.ADMIN, "t-read")).find(cookie, HOST))
                .isNull();
        millis.addAndGet(TimeUnit.HOURS.toMillis(12));
        assertThat(signIn.find(cookie, HOST)).isNull();
    }

    @Test
    void cookie_thatWasChanged_isNobodys() {
        String cookie = value(signIn.cookie(READER, HOST));
        String asRoot = value(signIn.cookie(ROOT, HOST));
        String mixed = asRoot.substring(0, asRoot.lastIndexOf('.')) + cookie.substring(cookie.lastIndexOf('.'));

        assertThat(signIn.find(mixed, HOST)).isNull();
        assertThat(signIn.find(cookie + "x", HOST)).isNull();
        assertThat(signIn.find("understudy-9090=", HOST)).isNull();
        assertThat(signIn.find("understudy-9090=..", HOST)).isNull();
        assertThat(signIn.find("understudy-9090=%%.zz.zz", HOST)).isNull();
        assertThat(signIn.find(cookie + "; " + "x".repeat(5_000), HOST)).isNull();
        assertThat(signIn.find(cookie, "localhost:9091")).as("another port's").isNull();
    }

    private SignIn signIn(AccessToken... tokens) {
        SignIn opened = new SignIn(nanos::get, millis::get);
        opened.open(new AccessTokens(List.of(tokens)), false);
        return opened;
    }

    private static String value(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }
}
