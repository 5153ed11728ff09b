package dev.understudy.it;

import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The Helm chart, by the real Helm: it makes what {@code understudy kubernetes inject} makes. */
@Tag("any-jdk")
class ChartIT {
    private static final String CHART = "sidecar/kubernetes/src/main/chart";
    private static final String EXAMPLE = "examples/orders/kubernetes/";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What {@code .ci/prepare} has compiled, or the one on the PATH. */
    private static final Path HELM = Path.of(System.getenv()
            .getOrDefault(
                    "UNDERSTUDY_HELM", Programs.find("helm").map(Path::toString).orElse("/nowhere")));

    @TempDir
    Path folder;

    @BeforeAll
    static void helm_isThere() {
        assumeTrue(
                Files.isExecutable(HELM) || "required".equals(System.getProperty("understudy.programs")),
                "no helm: neither UNDERSTUDY_HELM nor on the PATH");
    }

    @Test
    void lint_hasNothingToSay() throws Exception {
        assertThat(done("lint", "--strict", CHART, "-f", EXAMPLE + "values.yaml"))
                .contains("1 chart(s) linted, 0 chart(s) failed")
                .doesNotContain("WARNING");
    }

    @Test
    void template_isWhatTheCommandWrites() throws Exception {
        Map<String, Object> expected =
                documents(Files.readString(Checkout.root().resolve(EXAMPLE + "understudy.yaml")));

        Map<String, Object> made = documents(done("template", "any", CHART, "-f", EXAMPLE + "values.yaml"));

        assertThat(made.keySet()).isEqualTo(expected.keySet()).hasSize(14);
        made.forEach((name, document) -> assertThat(document).as(name).isEqualTo(expected.get(name)));
    }

    @Test
    void debugJvm_isRestrictedAsTheCommandDoesIt() throws Exception {
        String values = """
                production:
                  container:
                    args: ["--hosts=postgres:5432,postgres:5432", "--other=my.postgres:5432"]
                    env:
                      - { name: KEY, valueFrom: { secretKeyRef: { name: keys, key: signing } } }
                      - { name: PASSWORD, valueFrom: { secretKeyRef: { name: orders, key: database } } }
                      - { name: JAVA_TOOL_OPTIONS, value: -Xss1m }
                    envFrom: [{ secretRef: { name: all } }, { configMapRef: { name: some } }]
                    livenessProbe: { httpGet: { path: /live, port: http } }
                  pod:
                    priorityClassName: high
                    volumes: [{ name: tmp, persistentVolumeClaim: { claimName: data } }]
                keepSecrets: [KEY]
                debugEnv: { PASSWORD: "{redis.address}" }
                """;
        Path file = Files.writeString(folder.resolve("more.yaml"), values);

        Map<String, Object> made =
                documents(done("template", "any", CHART, "-f", EXAMPLE + "values.yaml", "-f", file.toString()));

        assertThat(String.valueOf(made.get("Deployment orders")))
                .contains("--hosts=orders-aggregator:15432,orders-aggregator:15432", "--other=my.postgres:5432")
                .contains("/live", "claimName", "high", "key=database");
        assertThat(String.valueOf(made.get("Deployment orders-debug")))
                .contains("key=signing", "-Xss1m -javaagent:", "name=some")
                .contains("$(ORDERS_AGGREGATOR_DEBUG_SERVICE_HOST):26379}")
                .doesNotContain("/live", "claimName", "high", "key=database", "name=all");
    }

    @Test
    void aggregator_runsWhereProductionDoes() throws Exception {
        String pod = """
                production.pod={"nodeSelector": {"disk": "fast"}, "imagePullSecrets": [{"name": "registry"}],
                "priorityClassName": "high", "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["no"]}]}""";

        Map<String, Object> made = documents(
                done("template", "any", CHART, "-f", EXAMPLE + "values.yaml", "--set-json", pod.replace("\n", "")));

        assertThat(String.valueOf(made.get("Deployment orders-aggregator")))
                .contains("disk=fast", "name=registry", "priorityClassName=high")
                .doesNotContain("hostAliases");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "production.container.env=[FROM_ELSEWHERE] | JAVA_TOOL_OPTIONS has a valueFrom",
                "production.port=70000 | /production/port",
                "production.prot=1 | additional properties 'prot' not allowed",
                "name=\"Orders\" | /name",
                "sidecar.port=8080 | port 8080 is in use",
                "debugEnv={\"A\": \"{none.host}\"} | no such upstream",
                "upstreams=[] | minItems",
                "upstreams=[REDIS_AS_FTP] | /upstreams/0/protocol",
                "upstreams=[REDIS, REDIS] | two upstreams are named redis",
                "upstreams=[REDIS, MORE] | port 26379 can't be had"
            })
    void wrongValues_areRefused(String value, String expected) throws Exception {
        String json = value.replace(
                        "REDIS_AS_FTP", "{\"name\":\"redis\",\"host\":\"redis\",\"port\":6379,\"protocol\":\"ftp\"}")
                .replace("REDIS", "{\"name\":\"redis\",\"host\":\"redis\",\"port\":6379,\"protocol\":\"redis\"}")
                .replace("FROM_ELSEWHERE", """
                        {"name":"JAVA_TOOL_OPTIONS","valueFrom":{"configMapKeyRef":{"name":"a","key":"b"}}}""")
                .replace("MORE", "{\"name\":\"more\",\"host\":\"m\",\"port\":1,\"protocol\":\"tcp\",\"debug\":26379}");
        List<String> line =
                List.of(HELM.toString(), "template", "any", CHART, "-f", EXAMPLE + "values.yaml", "--set-json", json);

        try (Child child = Child.start(folder.resolve("refused"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isNotZero();
            assertThat(child.output()).contains(expected);
        }
    }

    private String done(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(HELM.toString()));
        line.addAll(List.of(arguments));
        try (Child child = Child.start(folder.resolve("helm"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
            return child.output();
        }
    }

    /** By kind and name; settings in a ConfigMap as what they say. */
    private static Map<String, Object> documents(String text) throws IOException {
        Map<String, Object> documents = new TreeMap<>();
        for (Object document : load().loadAllFromString(text)) {
            if (document instanceof Map<?, ?> fields) {
                Map<Object, Object> copy = new LinkedHashMap<>(fields);
                if (copy.get("data") instanceof Map<?, ?> data) {
                    Map<Object, Object> read = new LinkedHashMap<>();
                    data.forEach((key, value) -> read.put(key, load().loadFromString((String) value)));
                    copy.put("data", read);
                }
                Object name = copy.get("metadata") instanceof Map<?, ?> metadata ? metadata.get("name") : "";
                documents.put(copy.get("kind") + " " + name, copy);
            }
        }
        return documents;
    }

    private static Load load() {
        return new Load(LoadSettings.builder().build());
    }
}
