package dev.understudy.testing;

import dev.understudy.testing.client.ExchangeVerdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnvironmentIT {
    private static final String SHOP = "dev.understudy.testing.ShopService";

    @TempDir
    static Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Rates rates = new Rates();
    private UnderstudyEnvironment environment;

    EnvironmentIT() throws IOException {}

    @BeforeAll
    void start() {
        environment = new UnderstudyEnvironment()
                .folder(folder.resolve("shop"))
                .upstream("rates=http://" + rates.address())
                .production("-Xmx64m", SHOP, "released", "${rates}", rates.address())
                .debug("-Xmx64m", SHOP, "patched", "${rates}", rates.address())
                .start();
    }

    @AfterAll
    void stop() {
        environment.close();
        rates.close();
    }

    @Test
    void check_passesWhatIsTheSame_andAsksTheUpstreamOnce() throws Exception {
        int before = rates.calls();

        String body = get("/right");

        assertThatCode(() -> environment.check()).doesNotThrowAnyException();
        assertThat(body).contains("\"total\": 119");
        assertThat(rates.calls()).isEqualTo(before + 1);
        assertThat(environment.client().status().verdicts()).containsKey("SAME");
    }

    @Test
    void check_showsThePlaceAndBothValues_once() throws Exception {
        get("/wrong");

        assertThatThrownBy(() -> environment.check())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DIFFERENT  GET /wrong")
                .hasMessageContaining("body.items[0].total\n      production: 119\n      debug:      120")
                .hasMessageContaining("the last lines of " + folder.resolve("shop/debug.log"))
                .hasMessageContaining("shop, patched build");
        assertThat(environment.client().divergences())
                .extracting(ExchangeVerdict::request)
                .contains("GET /wrong");
        get("/right");
        assertThatCode(() -> environment.check()).doesNotThrowAnyException();
    }

    @Test
    void check_showsACallThatProductionDidNotMake() throws Exception {
        get("/other-call");

        assertThatThrownBy(() -> environment.check())
                .hasMessageContaining("MISSED  upstream rates\n    debug called: GET /rates/usd")
                .hasMessageContaining("CALLS  GET /other-call");
    }

    @Test
    void check_showsAConnectionAroundTheUnderstudy() throws Exception {
        get("/behind");

        assertThatThrownBy(() -> environment.check())
                .hasMessageContaining("REACHED  debug had a connection to an upstream: " + rates.address());
        get("/right");
        environment.check(EnumSet.noneOf(FailureRule.class));
    }

    @Test
    void check_showsThatNothingWasCompared_unlessThatIsNoRule() {
        assertThatThrownBy(() -> environment.check()).hasMessageContaining("NOTHING  no exchange was compared");
        assertThatCode(() -> environment.check(EnumSet.of(FailureRule.DIFFERENT)))
                .doesNotThrowAnyException();
    }

    @Test
    void start_showsTheOutputOfAServiceThatEnds() {
        try (UnderstudyEnvironment broken = new UnderstudyEnvironment()
                .folder(folder.resolve("broken"))
                .production("no.such.Service")
                .debug("no.such.Service")) {
            assertThatThrownBy(broken::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("production: ended with 1 before it was ready")
                    .hasMessageContaining("no.such.Service");
        }
    }

    @Test
    void close_keepsTheReport_andEndsAllProcesses() throws Exception {
        UnderstudyEnvironment own = new UnderstudyEnvironment()
                .folder(folder.resolve("own"))
                .production("127.0.0.1:" + environment.address().getPort())
                .debug(SHOP, "patched", rates.address(), rates.address());
        own.start();
        get(own.uri(), "/right");
        own.check(EnumSet.of(FailureRule.NOTHING));
        environment.check();
        long before = ours();

        own.close();

        assertThat(Files.readString(folder.resolve("own/report.json"))).contains("\"routes\"");
        assertThat(ours()).isEqualTo(before - 2);
        assertThatThrownBy(own::check).hasMessageContaining("CLOSED (expected: STARTED)");
    }

    private static long ours() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }

    private String get(String path) throws Exception {
        return get(environment.uri(), path);
    }

    private String get(URI uri, String path) throws Exception {
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(uri.resolve(path)).build(), BodyHandlers.ofString());
        return response.body();
    }
}
