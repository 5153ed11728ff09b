package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.SignIn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a browser's cookie is good for at a control port. */
class CookieAccessTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String OWN = "Origin: http://localhost";

    private final AccessToken reader = new AccessToken("reader", Role.READ, "t-read");
    private final AccessToken operator = new AccessToken("operator", Role.OPERATE, "t-operate");
    private final SignIn signIn = new SignIn(System::nanoTime, () -> 0);
    private final List<RawCaller> callers = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private ControlServer server;

    @BeforeEach
    void open() throws IOException {
        Routes routes = new Routes()
                .get("/v1/status", call -> Reply.text(200, ""))
                .post(Access.OWN_PAGE, "/v1/sign-in", call -> Reply.text(200, call.host()))
                .put(Access.OPERATE, "/v1/tee", call -> Reply.text(200, "").with(Map.of("x-more", "yes")));
        AccessConfig access = new AccessConfig(List.of(reader, operator), null);
        server = ControlServer.open(
                new ControlConfig(new InetSocketAddress("127.0.0.1", 0), access), routes, signIn, order -> {});
    }

    @AfterEach
    void close() throws IOException {
        for (RawCaller caller : callers) {
            caller.close();
        }
        server.close();
    }

    @Test
    void reader_sees_andMayNotOperate() throws Exception {
        assertThat(answer("GET /v1/status HTTP/1.1")).startsWith("HTTP/1.1 401");
        assertThat(answer("GET /v1/status HTTP/1.1", cookie(reader))).startsWith("HTTP/1.1 200");
        assertThat(answer("PUT /v1/tee HTTP/1.1", cookie(reader), OWN, JSON)).startsWith("HTTP/1.1 403");
        assertThat(answer("PUT /v1/tee HTTP/1.1", cookie(operator), OWN, JSON))
                .startsWith("HTTP/1.1 200")
                .contains("x-more: yes");
    }

    @Test
    void change_byCookie_needsItsOwnPage() throws Exception {
        assertThat(answer("PUT /v1/tee HTTP/1.1", cookie(operator), JSON)).startsWith("HTTP/1.1 401");
        assertThat(answer("PUT /v1/tee HTTP/1.1", cookie(operator), JSON, "Origin: http://localhost:1"))
                .startsWith("HTTP/1.1 403");
        assertThat(answer("PUT /v1/tee HTTP/1.1", cookie(operator), JSON, "Sec-Fetch-Site: same-site"))
                .startsWith("HTTP/1.1 403");
        assertThat(answer("GET /v1/status HTTP/1.1", cookie(operator), "Sec-Fetch-Site: same-site"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void signingIn_needsNoToken_butTheOwnPageAndJson() throws Exception {
        assertThat(answer("POST /v1/sign-in HTTP/1.1", OWN, JSON))
                .startsWith("HTTP/1.1 200")
                .endsWith("localhost");
        assertThat(answer("POST /v1/sign-in HTTP/1.1", "Origin: http://evil.example", JSON))
                .startsWith("HTTP/1.1 403");
        assertThat(answer("POST /v1/sign-in HTTP/1.1", OWN, "Content-Type: text/plain"))
                .startsWith("HTTP/1.1 415");
    }

    private String cookie(AccessToken token) {
        String set = signIn.cookie(token, "localhost");
        return "Cookie: " + set.substring(0, set.indexOf(';'));
    }

    private String answer(String line, String... headers) throws IOException {
        RawCaller caller = RawCaller.connect(server);
        callers.add(caller);
        caller.send(line + "\r\nHost: localhost\r\n" + String.join("\r\n", headers)
                + (headers.length == 0 ? "\r\n" : "\r\n\r\n"));
        return caller.reply();
    }
}
