package dev.understudy.testing.junit;

import dev.understudy.testing.BundleReplay;
import dev.understudy.testing.BundleResult;
import dev.understudy.testing.FailureRule;
import dev.understudy.testing.RecordedBundle;
import dev.understudy.testing.client.ExchangeVerdict;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.displayName;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

@Tag("process")
class UnderstudyBundleIT {
    private static final String SHOP = "dev.understudy.testing.ShopService";

    @TempDir
    static Path folder;

    @BeforeAll
    static void record() throws Exception {
        Path bundle = RecordedBundle.of(folder, "/right", "/wrong", "/right");
        System.setProperty("shop.bundle", bundle.toString());
        System.setProperty("shop.key", RecordedBundle.key(folder).toString());
    }

    @AfterAll
    static void forget() {
        System.clearProperty("shop.bundle");
        System.clearProperty("shop.key");
    }

    @Test
    void everyRequestOfTheBundle_isATest_andFailsByItself() {
        EngineExecutionResults results = run(Regression.class);

        results.testEvents()
                .assertStatistics(events -> events.started(6).succeeded(5).failed(1));
        results.testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                displayName("GET /wrong (exchange 2)"),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.contains("production: 119\n      debug:      120")))));
    }

    @Test
    void otherUpstreamCalls_failAllOfThem_sinceTheRepliesProveLittle() {
        run(OtherCalls.class)
                .containerEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                container("rates"),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.contains("MISSED  not faithful: ")
                                                && text.contains("GET /v2/rates/eur")))));
    }

    @Test
    void withoutJUnit_itIsAResultToLookAt() {
        BundleResult result = replay("released").run();

        result.check();
        assertThat(result.isFaithful()).isTrue();
        assertThat(result.exchanges()).extracting(ExchangeVerdict::request).contains("GET /right", "GET /wrong");
        assertThat(result.folder().resolve("bundle.json")).exists();

        BundleResult patched = replay("patched").run();
        assertThatThrownBy(patched::check).hasMessageContaining("DIFFERENT  GET /wrong (exchange 2)");
        patched.check(FailureRule.MISSED, FailureRule.NOTHING);
        assertThatThrownBy(() -> patched.check(FailureRule.REACHED)).hasMessageContaining("expected: some of [DIFF");
    }

    @Test
    void whatCantBeReplayed_saysWhy() throws Exception {
        Path none = Files.writeString(folder.resolve("none.bundle"), "no bundle");
        assertThatThrownBy(() -> new BundleReplay(none)
                        .service(SHOP, "released", "${rates}", "", "${port}")
                        .run())
                .hasMessageContaining("none.bundle: not replayed; ");
        assertThatThrownBy(() -> replay("none")
                        .service(SHOP, "released", "", "", "${port}")
                        .run())
                .hasMessageContaining("no {upstream:rates}");
        assertThatThrownBy(() -> new BundleReplay(Path.of(System.getProperty("shop.bundle")))
                        .service(SHOP, "released", "${rates}", "", "${port}")
                        .run())
                .hasMessageContaining("encrypted (expected: --decrypt");
        assertThatThrownBy(() -> replay("none").service("127.0.0.1:80").run())
                .hasMessageContaining("expected: what starts it");
    }

    private static BundleReplay replay(String build) {
        return new BundleReplay(Path.of(System.getProperty("shop.bundle")))
                .key(RecordedBundle.key(folder))
                .service(SHOP, build, "${rates.host}:${rates.port}", "", "${port}")
                .speed(1000);
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .execute();
    }

    static final class Regression {
        @UnderstudyBundle(
                value = "${shop.bundle}",
                key = "${shop.key}",
                service = {SHOP, "released", "${rates}", "", "${port}"})
        void released(ExchangeVerdict exchange, BundleResult result) {
            assertThat(result.exchanges()).contains(exchange);
        }

        @UnderstudyBundle(
                value = "${shop.bundle}",
                key = "${shop.key}",
                service = {SHOP, "patched", "${rates}", "", "${port}"},
                speed = 1000)
        void patched() {}
    }

    static final class OtherCalls {
        @UnderstudyBundle(
                value = "${shop.bundle}",
                key = "${shop.key}",
                service = {SHOP, "released", "${rates}/v2", "", "${port}"})
        void rates() {}
    }
}
