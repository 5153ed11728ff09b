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

final class ManifestInjectionTest {
    private static final String DEPLOYMENT = """
            kind: Deployment
            metadata: { name: shop, annotations: { understudy.dev/upstreams: "db=pg:5432,postgres" } }
            spec:
              selector: { matchLabels: { app: shop } }
              template:
                metadata: { labels: { app: shop, tier: web } }
                spec:
                  containers:
                    - name: shop
                      image: shop
                      ports: [{ name: http, containerPort: 8080 }]
                      env:
                        - { name: DB, value: "jdbc:postgresql://pg:5432/shop" }
            """;

    private static final String SERVICE = """
            # of the shop
            kind: Service
            metadata: { name: shop }
            spec: { selector: { app: shop }, ports: [{ port: 80, targetPort: TARGET }] }
            """;

    @ParameterizedTest
    @CsvSource({"8080,understudy", "http,understudy", "9404,9404", "metrics,metrics"})
    void service_leadsToTheSidecarWhereItLedToProduction(String target, String expected) throws Exception {
        InjectionResult result = inject(SERVICE.replace("TARGET", target) + "---\n" + DEPLOYMENT);

        assertThat(text(result, "Service", "shop")).contains("targetPort: " + expected);
        assertThat(result.notes().isEmpty()).isEqualTo(expected.equals("understudy"));
    }

    @Test
    void service_ofOtherPodsIsWrittenAsItCame() throws Exception {
        String other = SERVICE.replace("TARGET", "8080").replace("app: shop", "app: shop, tier: batch");

        InjectionResult result = inject(DEPLOYMENT + "---\n" + other);

        assertThat(result.text()).contains(other);
        assertThat(result.notes()).singleElement().asString().contains("no Service of the input leads to port 8080");
    }

    @Test
    void service_withoutTargetPortLeadsToItsOwn() throws Exception {
        String service = SERVICE.replace("port: 80, targetPort: TARGET", "port: 8080");

        assertThat(text(inject(service + "---\n" + DEPLOYMENT), "Service", "shop"))
                .contains("targetPort: understudy");
    }

    @Test
    void production_callsTheAggregator() throws Exception {
        String production = text(inject(DEPLOYMENT), "Deployment", "shop");

        assertThat(production)
                .contains("jdbc:postgresql://shop-aggregator:15432/shop")
                .doesNotContain("pg:5432/shop");
    }

    @Test
    void debugJvm_callsTheAggregatorsDebugPort() throws Exception {
        String debug = text(inject(DEPLOYMENT), "Deployment", "shop-debug");

        assertThat(debug)
                .contains("jdbc:postgresql://$(SHOP_AGGREGATOR_DEBUG_SERVICE_HOST):25432/shop")
                .contains("app: shop-debug")
                .doesNotContain("tier: web")
                .doesNotContain("pg:5432")
                .doesNotContain("key: token");
    }

    @Test
    void addresses_areReplacedAsAWholeAndInArgumentsToo() throws Exception {
        String deployment = DEPLOYMENT.replace(
                "image: shop", "image: shop\n          args: [--a=pg:5432, --b=my.pg:5432, --c=pg:54321]");

        assertThat(text(inject(deployment), "Deployment", "shop"))
                .contains("--a=shop-aggregator:15432", "--b=my.pg:5432", "--c=pg:54321");
    }

    @Test
    void env_isFilledForEachJvm() throws Exception {
        InjectionOptions options =
                options(Map.of("PG", "{db.host} {db.port} {db.address}"), Map.of("PW", "none"), Set.of());

        InjectionResult result = ManifestInjection.inject(read(DEPLOYMENT), options);

        assertThat(text(result, "Deployment", "shop"))
                .contains("shop-aggregator 15432 shop-aggregator:15432")
                .doesNotContain("PW");
        assertThat(text(result, "Deployment", "shop-debug"))
                .contains("SERVICE_HOST) 25432 $(SHOP_AGGREGATOR_DEBUG_SERVICE_HOST):25432")
                .contains("name: PW\n          value: none");
    }

    @Test
    void upstream_thatNoVariableNamesIsNoted() throws Exception {
        assertThat(inject(DEPLOYMENT.replace("//pg:5432", "//other:5432")).notes())
                .anySatisfy(note -> assertThat(note).contains("doesn't name pg:5432", "--env 'NAME={db.address}'"));
    }

    @Test
    void debugJvm_getsNoSecretsUnlessTold() throws Exception {
        String deployment = DEPLOYMENT + """
                            - { name: PW, valueFrom: { secretKeyRef: { name: db, key: password } } }
                            - { name: KEY, valueFrom: { secretKeyRef: { name: keys, key: signing } } }
                          envFrom: [{ secretRef: { name: all } }, { configMapRef: { name: some } }]
                """;

        InjectionResult result = ManifestInjection.inject(read(deployment), options(Map.of(), Map.of(), Set.of("KEY")));

        assertThat(text(result, "Deployment", "shop-debug"))
                .contains("name: PW\n          value: not-a-password", "key: signing", "name: some")
                .doesNotContain("key: password", "name: all");
        assertThat(text(result, "Deployment", "shop")).contains("key: password", "name: all");
        assertThat(result.notes()).anySatisfy(note -> assertThat(note).contains("envFrom's Secrets"));
    }

    @Test
    void debugJvm_getsNoDiskAndNoProbeThatEndsIt() throws Exception {
        String deployment = DEPLOYMENT + """
                          livenessProbe: { httpGet: { path: /live, port: http } }
                          readinessProbe: { httpGet: { path: /ready, port: http } }
                          volumeMounts: [{ name: data, mountPath: /data }, { name: conf, mountPath: /conf }]
                      volumes:
                        - { name: data, persistentVolumeClaim: { claimName: data } }
                        - { name: conf, configMap: { name: conf } }
                      priorityClassName: high
                """;

        InjectionResult result = inject(deployment);

        assertThat(text(result, "Deployment", "shop-debug"))
                .contains("name: data\n        emptyDir: {}", "configMap", "/ready")
                .doesNotContain("claimName", "livenessProbe", "priorityClassName");
        assertThat(text(result, "Deployment", "shop")).contains("claimName", "/live", "priorityClassName", "/dev/shm");
        assertThat(result.notes()).anySatisfy(note -> assertThat(note).contains("volume data is empty"));
    }

    @Test
    void javaOptions_keepWhatTheyHave() throws Exception {
        String deployment = DEPLOYMENT + "            - { name: JAVA_TOOL_OPTIONS, value: -Xss1m }\n";

        assertThat(text(inject(deployment), "Deployment", "shop-debug"))
                .contains("-Xss1m -javaagent:/understudy/understudy-agent.jar");
    }

    @Test
    void namespace_isThatOfTheDeployment() throws Exception {
        InjectionResult result = inject(DEPLOYMENT.replace("name: shop, ann", "name: shop, namespace: web, ann"));

        assertThat(result.manifests()).allSatisfy(one -> assertThat(one.text()).contains("namespace: web"));
    }

    @Test
    void ports_thatCollideAreMoved() throws Exception {
        InjectionResult result = inject(DEPLOYMENT.replace(
                "\"db=pg:5432,postgres\"",
                "\"db=pg:5432,postgres; two=pg2:5432,postgres; far=x:60000,tcp; ctl=y:15432,tcp\""));

        assertThat(text(result, "ConfigMap", "shop-aggregator"))
                .contains("0.0.0.0:15432", "0.0.0.0:25432", "0.0.0.0:15433", "0.0.0.0:25433", "0.0.0.0:10000")
                .contains("0.0.0.0:25434", "0.0.0.0:35432");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Deployment | kind: StatefulSet | no Deployment among StatefulSet shop",
                "metadata: { name: shop, | metadata: { name: Shop.1, | no name that others can be made of",
                "containerPort: 8080 | hostPort: 80 | --production-port",
                "[{ name: http, containerPort: 8080 }] | [] | names no containerPort",
                "{ name: http, containerPort: 8080 } | { containerPort: 1 }, { containerPort: 2 } | [1, 2]",
                "containers: | x: | no containers (expected",
                "- name: shop | - { name: other }\\n        - name: shop | --container with one of other, shop",
                "- name: shop | - { name: understudy-sidecar }\\n        - name: shop | is injected already",
                "annotations: { | annotations: { understudy.dev/injected: x, | is injected already",
                "spec:\\n  selector | spec:\\n  replicas: 3\\n  selector | replicas: 3 (expected: 1",
                "containers: | hostNetwork: true\\n      containers: | hostNetwork: true (expected",
                "matchLabels: { app: shop } | matchExpressions: [] | no selector.matchLabels",
                "containerPort: 8080 | containerPort: 9092 | port 9092 is in use",
                "db=pg:5432,postgres | | no upstreams (expected: --upstream",
                "db=pg:5432,postgres | db=pg:5432 | expected: NAME=HOST:PORT,PROTOCOL",
                "db=pg:5432,postgres | db=pg:0,tcp | expected: NAME=HOST:PORT,PROTOCOL",
                "db=pg:5432,postgres | db=pg:1,tcp;db=b:2,tcp | two upstreams are named db",
                "containers: | containers: text\\n      y: | containers: text (expected: a list)",
                "metadata: { labels | y: 1\\n    spec: [] \\n    z: { labels | stands twice"
            })
    void whatCantBeInjected_isRefusedWithTheWayOut(String was, String is, String expected) {
        String deployment = DEPLOYMENT.replace(was.replace("\\n", "\n"), is == null ? "" : is.replace("\\n", "\n"));

        assertThat(deployment).isNotEqualTo(DEPLOYMENT);
        assertThatThrownBy(() -> inject(deployment))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void severalDeployments_needANameOfOne() {
        assertThatThrownBy(
                        () -> inject(DEPLOYMENT + "---\n" + DEPLOYMENT.replace("name: shop, ann", "name: till, ann")))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("--deployment with one of shop, till");
    }

    @Test
    void placeHolder_ofNoUpstreamIsRefused() {
        assertThatThrownBy(() -> ManifestInjection.inject(
                        read(DEPLOYMENT), options(Map.of("A", "{dbx.host}"), Map.of(), Set.of())))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("{dbx.host}: no upstream dbx (expected: one of db)");
    }

    @Test
    void result_isRefusedAsInput() throws Exception {
        String injected =
                inject(SERVICE.replace("TARGET", "http") + "---\n" + DEPLOYMENT).text();

        assertThatThrownBy(() -> ManifestInjection.inject(read(injected), named("shop")))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("is injected already");
    }

    private static String text(InjectionResult result, String kind, String name) throws ManifestException {
        for (Manifest one : result.manifests()) {
            if (one.kind().equals(kind) && one.name().equals(name)) {
                return one.text();
            }
        }
        throw new AssertionError("no " + kind + " " + name);
    }

    private static InjectionResult inject(String text) throws IOException {
        return ManifestInjection.inject(read(text), options(Map.of(), Map.of(), Set.of()));
    }

    private static List<Manifest> read(String text) throws IOException {
        return ManifestReader.read("input", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static InjectionOptions options(Map<String, String> env, Map<String, String> debugEnv, Set<String> kept) {
        return new InjectionOptions(
                "", "", 0, "http", List.of(), "", env, debugEnv, kept, 8081, 9090, "understudy", "understudy/", "");
    }

    private static InjectionOptions named(String deployment) {
        return new InjectionOptions(
                deployment, "", 0, "http", List.of(), "", Map.of(), Map.of(), Set.of(), 8081, 9090, "u", "u/", "");
    }
}
