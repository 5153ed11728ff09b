package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.OpenApi;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The console's part of the control port: its files, signing in, and that roles hold. */
final class ConsoleTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.saying("{\"n\":2}");
        ListenerConfig listener = Stage.listener(
                production.address(), debug.address(), ListenerConfig.Framing.HTTP, ListenerConfig.Order.CAUSAL);
        AccessConfig access = new AccessConfig(
                List.of(
                        new AccessToken("reader", Role.READ, "t-read"),
                        new AccessToken("operator", Role.OPERATE, "t-operate"),
                        new AccessToken("jvm", Role.AGENT, "t-agent")),
                null);
        stage = Stage.of(new SidecarConfig(
                List.of(listener),
                Stage.WINDOW,
                1 << 20,
                new ControlConfig(InetSocketAddress.createUnresolved("127.0.0.1", 0), access),
                new TelemetryConfig("", "test", false, ""),
                Duration.ZERO));
    }

    @AfterEach
    void close() {
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void bytesOfABody_areForOperators() throws Exception {
        String path = "/v1/exchanges/1/body?side=debug";
        assertThat(send("GET", path, "", "Authorization", "Bearer t-read").statusCode())
                .isEqualTo(403);
        HttpResponse<String> none = send("GET", path, "", "Authorization", "Bearer t-operate");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(send("GET", "/v1/exchanges/1/body?side=x", "", "Authorization", "Bearer t-operate")
                        .body())
                .contains("side: x (expected: production or debug)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/console/main.js",
                "/console/views.js",
                "/console/preact.js",
                "/console/console.css",
                "/console/icon.svg",
            })
    void files_needNoToken_andMayLoadNothingElse(String path) throws Exception {
        HttpResponse<String> reply = send("GET", path, "");

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body()).isNotEmpty();
        assertThat(reply.headers().firstValue("content-security-policy").orElse(""))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(reply.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(reply.headers().firstValue("referrer-policy")).hasValue("no-referrer");
        assertThat(reply.headers().firstValue("content-type").orElse(""))
                .containsAnyOf("html", "javascript", "css", "svg");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/index.html",
                "/console/..%2findex.html",
                "/console/%2e%2e",
                "/console/..%2f..%2f..%2f..%2fsimplelogger.properties",
                "/console/ConsoleFiles.class",
                "/console/..%2fcontrol%2fopenapi.yaml",
                "/console/%2fetc%2fpasswd",
                "/console/nowhere.js",
                "/console/MAIN.JS",
                "/console/main.js%00.css",
            })
    void otherFiles_areNotServed(String path) throws Exception {
        assertThat(raw("GET " + path + " HTTP/1.1")).startsWith("HTTP/1.1 40").doesNotContain("HTTP/1.1 200");
    }

    @Test
    void page_hasNoScriptOrStyleOfItsOwn() throws Exception {
        String page = send("GET", "/", "").body();

        assertThat(page).doesNotContain("<style", " style=", " onload=", "http://", "https://");
        assertThat(page.split("<script", -1)).hasSize(2);
        assertThat(page).contains("<script type=\"module\" src=\"/console/main.js\"></script>");
    }

    @Test
    void page_asksAtOnce_forAllModulesThatTheFirstWaitsFor() throws Exception {
        Set<String> needed = new TreeSet<>();
        addImports("main.js", needed);

        List<String> named = matches(
                "modulepreload\" href=\"/console/([a-z-]+\\.js)",
                send("GET", "/", "").body());
        assertThat(named).doesNotHaveDuplicates().containsAll(needed);
        for (String module : named) {
            assertThat(send("GET", "/console/" + module, "").statusCode())
                    .as(module)
                    .isEqualTo(200);
        }
    }

    private void addImports(String module, Set<String> needed) throws Exception {
        for (String one : matches(
                "(?m)^import .* from '\\./([a-z-]+\\.js)'",
                send("GET", "/console/" + module, "").body())) {
            if (needed.add(one)) {
                addImports(one, needed);
            }
        }
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void data_needAToken() throws Exception {
        for (String path : List.of(
                "/v1/exchanges",
                "/v1/exchanges/1",
                "/v1/divergences",
                "/v1/console/now",
                "/v1/console/session",
                "/v1/timeline",
                "/v1/upstreams")) {
            assertThat(send("GET", path, "").statusCode()).as(path).isEqualTo(401);
            assertThat(send("GET", path, "", "Authorization", "Bearer t-agent").statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(send("POST", "/v1/console/links", "").statusCode()).isEqualTo(401);
    }

    @Test
    void token_signsIn_andTheCookieHasItsRole() throws Exception {
        HttpResponse<String> signedIn = send("POST", "/v1/console/session", "{\"token\":\"t-read\"}", own());
        String cookie = cookie(signedIn);

        assertThat(JSON.readTree(signedIn.body())).isEqualTo(JSON.readTree("{\"name\":\"reader\",\"role\":\"read\"}"));
        assertThat(signedIn.headers().firstValue("set-cookie").orElse("")).contains("HttpOnly", "SameSite=Strict");
        assertThat(send("GET", "/v1/console/session", "", "Cookie", cookie).body())
                .isEqualTo(signedIn.body());
        assertThat(send("GET", "/v1/status", "", "Cookie", cookie).statusCode()).isEqualTo(200);
        HttpResponse<String> turned =
                send("PUT", "/v1/listeners/orders/tee", "{\"mode\":\"off\"}", and(own(), "Cookie", cookie));
        assertThat(turned.statusCode()).isEqualTo(403);
        assertThat(turned.body()).contains("needs the role operate");
    }

    @Test
    void operator_operatesByCookie_fromTheOwnPageOnly() throws Exception {
        String cookie = cookie(send("POST", "/v1/console/session", "{\"token\":\"t-operate\"}", own()));
        String off = "{\"mode\":\"off\"}";

        assertThat(send("PUT", "/v1/listeners/orders/tee", off, "Cookie", cookie)
                        .statusCode())
                .isEqualTo(401);
        assertThat(send("PUT", "/v1/listeners/orders/tee", off, "Cookie", cookie, "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("PUT", "/v1/listeners/orders/tee", off, and(own(), "Cookie", cookie))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void orders_standInTheTimeline_withTheirAuthor() throws Exception {
        long before = JSON.readTree(read("/v1/timeline")).path("revision").asLong();
        send("PUT", "/v1/listeners/orders/tee", "{\"mode\":\"paused\"}", "Authorization", "Bearer t-operate");
        send("PUT", "/v1/listeners/orders/tee", "{\"mode\":\"odd\"}", "Authorization", "Bearer t-operate");

        JsonNode story = JSON.readTree(read("/v1/timeline?kind=order"));
        assertThat(story.path("revision").asLong()).isGreaterThanOrEqualTo(before + 3);
        assertThat(story.path("entries").findValuesAsText("by")).containsExactly("operator", "operator");
        assertThat(story.path("entries").findValuesAsText("status")).containsExactly("400", "200");
        assertThat(story.at("/entries/1/what/order").asText()).isEqualTo("PUT /v1/listeners/orders/tee");
        assertThat(story.at("/entries/1/what/body").asText()).isEqualTo("{\"mode\":\"paused\"}");
        assertThat(read("/v1/timeline?kind=tee")).contains("\"mode\":\"paused\"");
        new OpenApi(JSON.readTree(read("/v1/openapi.json")))
                .assertFits("/components/schemas/Timeline", read("/v1/timeline"), "the timeline");
        assertThat(read("/v1/timeline?kind=odd")).contains("kind: odd (expected: ");
        assertThat(read("/v1/timeline?limit=501")).contains("limit: 501 (expected: 1 to 500)");
    }

    private String read(String path) throws Exception {
        return send("GET", path, "", "Authorization", "Bearer t-read").body();
    }

    @Test
    void link_signsInOnce_asWhoeverAskedForIt() throws Exception {
        String path = JSON.readTree(send("POST", "/v1/console/links", "", "Authorization", "Bearer t-read")
                        .body())
                .path("path")
                .asText();
        assertThat(path).matches("/#code=[\\w-]{32}");
        String code = "{\"code\":\"" + path.substring(path.indexOf('=') + 1) + "\"}";

        assertThat(send("POST", "/v1/console/session", code, own()).body()).contains("\"reader\"");
        HttpResponse<String> again = send("POST", "/v1/console/session", code, own());
        assertThat(again.statusCode()).isEqualTo(401);
        assertThat(again.body()).contains("used already");
        assertThat(again.headers().firstValue("set-cookie")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"code\":\"guessed\"}", "{\"token\":\"wrong\"}", "{\"token\":\"\"}", "{}", "{\"code\":7}"})
    void wrongSignIn_isRefused(String body) throws Exception {
        HttpResponse<String> refused = send("POST", "/v1/console/session", body, own());

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("set-cookie")).isEmpty();
    }

    @Test
    void signIn_isForPeople_andForThisPagesOnly() throws Exception {
        assertThat(send("POST", "/v1/console/session", "{\"token\":\"t-agent\"}", own())
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("POST", "/v1/console/session", "{\"token\":\"t-read\"}", "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("POST", "/v1/console/session", "{\"token\":\"" + "x".repeat(5_000) + "\"}", own())
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void signingOut_takesTheCookieBack() throws Exception {
        HttpResponse<String> out = send("DELETE", "/v1/console/session", "", own());

        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.headers().firstValue("set-cookie").orElse("")).contains("Max-Age=0");
    }

    @Test
    void stream_hasABound_andShowsTheStatus() throws Exception {
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        try {
            for (int n = 0; n < 16; n++) {
                streams.add(follow());
                assertThat(streams.get(n).statusCode()).isEqualTo(200);
            }
            HttpResponse<InputStream> refused = follow();
            streams.add(refused);
            assertThat(refused.statusCode()).isEqualTo(503);

            byte[] start = streams.get(0).body().readNBytes(200);
            assertThat(new String(start, StandardCharsets.UTF_8))
                    .startsWith("data: {\"at\":")
                    .contains("\"newest\":0");
        } finally {
            for (HttpResponse<InputStream> stream : streams) {
                stream.body().close();
            }
        }
    }

    private HttpResponse<InputStream> follow() throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/console/now"))
                        .header("Authorization", "Bearer t-read")
                        .build(),
                BodyHandlers.ofInputStream());
    }

    private String[] own() {
        URI uri = stage.controlUri("/");
        return new String[] {"Origin", "http://" + uri.getAuthority()};
    }

    private static String[] and(String[] headers, String... more) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static String cookie(HttpResponse<String> reply) {
        String set = reply.headers().firstValue("set-cookie").orElseThrow();
        return set.substring(0, set.indexOf(';'));
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(stage.controlUri(path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return stage.client.send(request.build(), BodyHandlers.ofString());
    }

    /** What no client library would send. */
    private String raw(String line) throws IOException {
        URI uri = stage.controlUri("/");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
