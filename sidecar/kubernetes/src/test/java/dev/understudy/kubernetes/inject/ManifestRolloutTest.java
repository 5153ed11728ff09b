package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a cluster makes of the documents: in which order, where, and beside what. */
final class ManifestRolloutTest {
    private static final String SHOP = """
            kind: Service
            metadata: { name: shop }
            spec: { selector: { app: shop }, ports: [{ port: 80, targetPort: 8080 }] }
            ---
            kind: Deployment
            metadata: { name: shop, annotations: { understudy.dev/upstreams: "db=pg:5432,postgres" } }
            spec:
              selector: { matchLabels: { app: shop } }
              template:
                metadata: { labels: { app: shop } }
                spec:
                  nodeSelector: { disk: fast }
                  imagePullSecrets: [{ name: registry }]
                  containers:
                    - name: shop
                      image: shop
                      ports: [{ name: http, containerPort: 8080 }]
                      env: [{ name: DB, value: "pg:5432" }]
            """;

    @Test
    void front_isLabelledAndLastAndNamespacesAreFirst() throws Exception {
        List<Manifest> made = inject(SHOP + "---\nkind: Namespace\nmetadata: { name: web }\n");

        assertThat(made.get(0).kind()).isEqualTo("Namespace");
        Manifest last = made.get(made.size() - 1);
        assertThat(last.name()).isEqualTo("shop");
        assertThat(last.text()).contains("understudy.dev/apply: last", "targetPort: understudy");
        assertThat(made.subList(0, made.size() - 1))
                .allSatisfy(one -> assertThat(one.text()).doesNotContain("understudy.dev/apply"));
    }

    @Test
    void aggregator_runsWhereProductionDoes() throws Exception {
        assertThat(text(inject(SHOP), "Deployment", "shop-aggregator")).contains("disk: fast", "name: registry");
    }

    @ParameterizedTest
    @CsvSource({"shop-aggregator,pg:5432,pg:5433", "shop,containerPort: 8080,containerPort: 8090"})
    void pods_areOthersWithOtherSettings(String deployment, String was, String is) throws Exception {
        String hash = hash(SHOP, deployment);

        assertThat(hash(SHOP.replace("image: shop", "image: shop:2"), deployment))
                .isEqualTo(hash);
        assertThat(hash(SHOP.replace(was, is), deployment)).isNotEqualTo(hash);
    }

    @Test
    void debugService_leadsToAPodAtABreakpointToo() throws Exception {
        assertThat(text(inject(SHOP), "Service", "shop-debug")).contains("publishNotReadyAddresses: true");
    }

    @Test
    void udp_isNotProductionsPort() throws Exception {
        String udp = SHOP.replace("[{ name: http", "[{ containerPort: 9092, protocol: UDP }, { name: http")
                .replace("[{ port: 80,", "[{ port: 81, targetPort: 8080, protocol: UDP }, { port: 80,");

        assertThat(text(inject(udp), "Service", "shop")).contains("targetPort: 8080", "targetPort: understudy");
    }

    @Test
    void headlessService_isNotedAndLeftAsItIs() throws Exception {
        String headless = SHOP.replace("spec: { selector", "spec: { clusterIP: None, selector");

        assertThat(text(inject(headless), "Service", "shop")).doesNotContain("understudy");
        assertThat(ManifestInjection.inject(read(headless), options()).notes())
                .anySatisfy(note -> assertThat(note).contains("Service shop is headless"));
    }

    @Test
    void scaler_toOnePodIsNone() throws Exception {
        assertThat(text(inject(SHOP + scaler(1)), "HorizontalPodAutoscaler", "shop"))
                .contains("maxReplicas: 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Service\\nmetadata: { name: shop-debug } | Service shop-debug is in the input",
                "kind: Deployment\\nmetadata: { name: shop-debug } | Deployment shop-debug is in the input",
                "kind: Service\\nmetadata: { name: x }\\nspec: { selector: { app: shop-debug } } | would lead to pods",
                "kind: HorizontalPodAutoscaler\\nmetadata: { name: x }\\nspec: { maxReplicas: 3,"
                        + " scaleTargetRef: { kind: Deployment, name: shop } } | more pods (expected: maxReplicas: 1"
            })
    void whatCollides_isRefused(String document, String expected) {
        String input = SHOP + "---\n" + document.replace("\\n", "\n") + "\n";

        assertThatThrownBy(() -> ManifestInjection.inject(read(input), options()))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void javaOptions_fromElsewhereAreRefused() {
        String elsewhere = SHOP.replace(
                "env: [", "env: [{ name: JAVA_TOOL_OPTIONS, valueFrom: { configMapKeyRef: { name: a, key: b } } }, ");

        assertThatThrownBy(() -> inject(elsewhere))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("JAVA_TOOL_OPTIONS has a valueFrom");
    }

    private static String scaler(int most) {
        return """
                ---
                kind: HorizontalPodAutoscaler
                metadata: { name: shop }
                spec: { maxReplicas: MOST, scaleTargetRef: { kind: Deployment, name: shop } }
                """.replace("MOST", Integer.toString(most));
    }

    private static String hash(String input, String deployment) throws IOException {
        String text = text(inject(input), "Deployment", deployment);
        int start = text.indexOf("understudy.dev/settings: ");
        assertThat(start).isPositive();
        return text.substring(start, text.indexOf('\n', start));
    }

    private static String text(List<Manifest> made, String kind, String name) throws ManifestException {
        for (Manifest one : made) {
            if (one.kind().equals(kind) && one.name().equals(name)) {
                return one.text();
            }
        }
        throw new AssertionError("no " + kind + " " + name);
    }

    private static List<Manifest> inject(String text) throws IOException {
        return ManifestInjection.inject(read(text), options()).manifests();
    }

    private static List<Manifest> read(String text) throws IOException {
        return ManifestReader.read("input", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static InjectionOptions options() {
        return new InjectionOptions(
                "shop", "", 0, "http", List.of(), "", Map.of(), Map.of(), Set.of(), 8081, 9090, "u", "u/", "");
    }
}
