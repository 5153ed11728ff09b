package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ControlAccessTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);
    private static final String JSON = "Content-Type: application/json";

    private final List<Map<String, Object>> orders = new ArrayList<>();
    private final List<RawCaller> callers = new ArrayList<>();
    private @Nullable ControlServer server;

    @AfterEach
    void close() throws IOException {
        for (RawCaller caller : callers) {
            caller.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Who may do what, and what that answers: 401 nobody, 403 somebody else. */
    @ParameterizedTest
    @CsvSource({
        "nobody,    200 401 401 401 401 401",
        "wrong,     200 401 401 401 401 401",
        "t-agent,   200 200 200 403 403 403",
        "t-read,    200 403 200 200 403 403",
        "t-operate, 200 403 200 200 200 403",
        "t-admin,   200 200 200 200 200 200",
    })
    void role_decides(String token, String expected) throws Exception {
        open(roles());
        String[] authorization =
                token.equals("nobody") ? new String[0] : new String[] {"Authorization: Bearer " + token};

        assertThat(List.of(
                        status("GET", "/healthz", authorization),
                        status("POST", "/v1/report", authorization),
                        status("GET", "/v1/shared", authorization),
                        status("GET", "/v1/status", authorization),
                        status("PUT", "/v1/tee", authorization),
                        status("DELETE", "/v1/patch", authorization)))
                .isEqualTo(List.of(expected.split(" ")));
    }

    @Test
    void unknownPath_isToldToNobodyWithoutAToken() throws Exception {
        open(roles());

        assertThat(status("GET", "/v1/nowhere")).isEqualTo("401");
        assertThat(status("GET", "/v1/nowhere", "Authorization: Bearer t-agent"))
                .isEqualTo("404");
    }

    /** Also of another port of this machine, which is another site's to a browser. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://example.org",
                "Origin: http://localhost:9999",
                "Origin: null",
                "Origin: http://localhost.example.org",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Sec-Fetch-Site: Cross-Site",
            })
    void foreignPage_isRefused_whateverItKnows(String header) throws Exception {
        open(roles());

        assertThat(status("GET", "/v1/status", "Authorization: Bearer t-admin", header))
                .isEqualTo("403");
        assertThat(status("PUT", "/v1/tee", "Authorization: Bearer t-admin", header))
                .isEqualTo("403");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://localhost", "Origin: https://LOCALHOST", "Sec-Fetch-Site: same-origin"})
    void ownPage_isServed(String header) throws Exception {
        open(roles());

        assertThat(status("PUT", "/v1/tee", "Authorization: Bearer t-operate", header))
                .isEqualTo("200");
    }

    /** What a form of any web page could send. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: text/plain; application/json",
                "X-Type: none",
            })
    void changes_needJson(String type) throws Exception {
        open(AccessConfig.open());

        assertThat(answer("PUT /v1/tee HTTP/1.1", "Host: localhost", type)).startsWith("HTTP/1.1 415");
        assertThat(answer("POST /v1/report HTTP/1.1", "Host: localhost", type)).startsWith("HTTP/1.1 415");
        assertThat(answer("PUT /v1/tee HTTP/1.1", "Host: localhost", "content-type: Application/JSON; charset=utf-8"))
                .startsWith("HTTP/1.1 200");
        assertThat(orders).hasSize(1);
    }

    @Test
    void anonymous_getsWhatItMay_byLoopbackNamesAlone() throws Exception {
        open(new AccessConfig(List.of(new AccessToken("root", Role.ADMIN, "t-admin")), Role.READ));

        assertThat(status("GET", "/v1/status")).isEqualTo("200");
        assertThat(status("PUT", "/v1/tee")).isEqualTo("403");
        assertThat(answer("GET /v1/status HTTP/1.1", "Host: rebound.example")).startsWith("HTTP/1.1 401");
        assertThat(answer("GET /v1/status HTTP/1.1", "Host: 127.0.0.1.example.org"))
                .startsWith("HTTP/1.1 401");
        assertThat(answer("GET /v1/status HTTP/1.1", "Host: [::1]:80")).startsWith("HTTP/1.1 200");
        assertThat(status("GET", "/v1/status", "Authorization: Bearer wrong")).isEqualTo("401");
        assertThat(status("PUT", "/v1/tee", "Authorization: Bearer t-admin")).isEqualTo("200");
    }

    @Test
    void withoutTokens_someAreGenerated_andFoundByTheirFiles() throws Exception {
        open(AccessConfig.of(""));
        int port = requireNonNull(server).address().getPort();
        Path admin = TokenFile.path(port, Role.ADMIN);

        assertThat(status("GET", "/v1/status")).isEqualTo("401");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(admin)))
                .isEqualTo("rw-------");
        String token = TokenFile.read(URI.create("http://localhost:" + port), Role.ADMIN);
        assertThat(status("DELETE", "/v1/patch", "Authorization: Bearer " + token))
                .isEqualTo("200");
        String agent = TokenFile.read(URI.create("http://127.0.0.1:" + port), Role.AGENT);
        assertThat(status("POST", "/v1/report", "Authorization: Bearer " + agent))
                .isEqualTo("200");
        assertThat(status("PUT", "/v1/tee", "Authorization: Bearer " + agent)).isEqualTo("403");
        assertThat(TokenFile.read(URI.create("http://example.org:" + port), Role.ADMIN))
                .isEmpty();

        server.close();
        assertThat(admin).doesNotExist();
    }

    @Test
    void tokenFileOfAnotherProcess_stays() throws Exception {
        open(AccessConfig.of(""));
        Path file = TokenFile.path(requireNonNull(server).address().getPort(), Role.ADMIN);
        Files.writeString(file, "another one's");

        server.close();

        assertThat(file).hasContent("another one's");
        Files.delete(file);
    }

    @Test
    void order_isAuditedWithNameAndOutcome() throws Exception {
        open(roles());

        answer(
                "PUT /v1/tee HTTP/1.1",
                "Host: localhost",
                JSON,
                "Authorization: Bearer t-operate",
                "Content-Length: 12",
                "",
                "{\"a\":\"\u0007\u001b[m\"}");
        status("PUT", "/v1/wrong", "Authorization: Bearer t-admin");
        status("PUT", "/v1/tee", "Authorization: Bearer t-read");
        status("GET", "/v1/status", "Authorization: Bearer t-read");
        status("POST", "/v1/report", "Authorization: Bearer t-agent");

        assertThat(orders).hasSize(2);
        assertThat(orders.get(0))
                .containsEntry("by", "operate")
                .containsEntry("role", "operate")
                .containsEntry("order", "PUT /v1/tee")
                .containsEntry("body", "{\"a\":\"\uFFFD\uFFFD[m\"}")
                .containsEntry("status", 200);
        assertThat(orders.get(1)).containsEntry("by", "admin").containsEntry("status", 400);
        assertThat(requireNonNull(server).counts().count(ControlCounts.Reason.DENIED))
                .isEqualTo(1);
    }

    @Test
    void otherThanLoopback_needsTokens() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 9090);

        assertThatThrownBy(() -> new ControlConfig(everywhere, AccessConfig.of("")))
                .hasMessageContaining("without a token");
        assertThatThrownBy(() -> new ControlConfig(
                        everywhere, new AccessConfig(List.of(new AccessToken("a", Role.READ, "b")), Role.READ)))
                .hasMessageContaining("anonymous: read");
        assertThat(new ControlConfig(everywhere, AccessConfig.of("secret")).toString())
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void generatedTokens_differ(Role role) {
        assertThat(AccessToken.generate(role).secret())
                .hasSize(32)
                .isNotEqualTo(AccessToken.generate(role).secret());
    }

    private static AccessConfig roles() {
        List<AccessToken> tokens = new ArrayList<>();
        for (Role role : Role.values()) {
            tokens.add(new AccessToken(role.word(), role, "t-" + role.word()));
        }
        return new AccessConfig(tokens, null);
    }

    private void open(AccessConfig access) throws IOException {
        Routes routes = new Routes()
                .get("/v1/status", call -> Reply.text(200, ""))
                .get(Access.ANY_ROLE, "/v1/shared", call -> Reply.text(200, ""))
                .post(Access.AGENT, "/v1/report", call -> Reply.text(200, ""))
                .put(Access.OPERATE, "/v1/tee", call -> Reply.text(200, ""))
                .put(Access.OPERATE, "/v1/wrong", call -> {
                    throw new IllegalArgumentException("wrong");
                })
                .delete(Access.ADMIN, "/v1/patch", call -> Reply.text(200, ""));
        server = ControlServer.open(new ControlConfig(LOOPBACK, access), routes, orders::add);
    }

    private String status(String method, String path, String... headers) throws IOException {
        List<String> lines = new ArrayList<>(List.of(method + " " + path + " HTTP/1.1", "Host: localhost", JSON));
        lines.addAll(List.of(headers));
        return answer(lines.toArray(String[]::new)).split(" ", 3)[1];
    }

    private String answer(String... lines) throws IOException {
        RawCaller caller = RawCaller.connect(requireNonNull(server));
        callers.add(caller);
        boolean hasBody = List.of(lines).contains("");
        caller.send(String.join("\r\n", lines) + (hasBody ? "" : "\r\n\r\n"));
        return caller.reply();
    }
}
