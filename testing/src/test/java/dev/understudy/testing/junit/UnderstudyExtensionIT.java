package dev.understudy.testing.junit;

import dev.understudy.testing.FailureRule;
import dev.understudy.testing.Rates;
import dev.understudy.testing.ReportFolder;
import dev.understudy.testing.UnderstudyEnvironment;
import dev.understudy.testing.client.UnderstudyClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

@Tag("process")
class UnderstudyExtensionIT {
    private static final String SHOP = "dev.understudy.testing.ShopService";

    private Rates rates;

    @BeforeEach
    void start() throws Exception {
        rates = new Rates();
        System.setProperty("shop.rates", rates.address());
    }

    @AfterEach
    void stop() {
        System.clearProperty("shop.rates");
        rates.close();
    }

    @Test
    void annotation_failsOnlyTheTestInWhichDebugDiffers() {
        EngineExecutionResults results = run(Annotated.class);

        results.testEvents()
                .assertStatistics(events -> events.started(3).succeeded(2).failed(1));
        results.testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("wrong"),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.contains("production: 119\n      debug:      120")))));
        assertThat(ReportFolder.root().resolve(Annotated.class.getName()).resolve("report.json"))
                .exists();
    }

    @Test
    void registered_takesItsRules() {
        run(Registered.class)
                .testEvents()
                .assertStatistics(events -> events.started(1).succeeded(1));
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .execute();
    }

    private static void get(URI uri, String path) throws Exception {
        HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri.resolve(path)).build(), BodyHandlers.ofString());
    }

    @Understudy(
            production = {SHOP, "released", "${rates}", "127.0.0.1:1"},
            debug = {SHOP, "patched", "${rates}", "127.0.0.1:1"},
            upstreams = "rates=http://${shop.rates}")
    static final class Annotated {
        @Test
        void right(UnderstudyEnvironment shop) throws Exception {
            get(shop.uri(), "/right");
        }

        @Test
        void wrong(UnderstudyEnvironment shop) throws Exception {
            get(shop.uri(), "/wrong");
        }

        @Nested
        final class Inside {
            @Test
            void right(UnderstudyEnvironment shop, UnderstudyClient client) throws Exception {
                get(shop.uri(), "/right");
                assertThat(client.status().answered()).isPositive();
            }
        }
    }

    static final class Registered {
        @RegisterExtension
        static final UnderstudyExtension understudy = new UnderstudyExtension(
                () -> new UnderstudyEnvironment()
                        .production(SHOP, "released", System.getProperty("shop.rates"), "")
                        .debug(SHOP, "patched", System.getProperty("shop.rates"), ""),
                FailureRule.NOTHING);

        @Test
        void wrong(UnderstudyEnvironment shop) throws Exception {
            get(shop.uri(), "/wrong");
        }
    }
}
