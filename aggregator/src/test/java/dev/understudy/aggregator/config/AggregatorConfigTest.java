package dev.understudy.aggregator.config;

import dev.understudy.aggregator.config.UpstreamConfig.Protocol;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.FaultRule;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.TerminateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AggregatorConfigTest {
    @TempDir
    private Path folder;

    @Test
    void exampleFile_isComplete() {
        AggregatorConfig config = AggregatorConfig.read(Path.of("aggregator.example.yaml"), Map.of(), List.of());

        assertThat(config.upstreams())
                .extracting(UpstreamConfig::name)
                .containsExactly("postgres", "redis", "pricing", "mail", "stock");
        assertThat(config.upstreams())
                .extracting(UpstreamConfig::protocol)
                .containsExactly(Protocol.POSTGRES, Protocol.REDIS, Protocol.HTTP, Protocol.TCP, Protocol.MYSQL);
        UpstreamConfig redis = config.upstreams().get(1);
        assertThat(redis.policy().usual().patience()).isEqualTo(Duration.ofSeconds(2));
        assertThat(redis.policy().repeatsLast()).isTrue();
        assertThat(config.upstreams().get(2).upstream().addresses())
                .containsExactly(new Address.Inet("pricing.internal", 8080));
        assertThat(config.control().listen().getPort()).isEqualTo(9091);
    }

    @Test
    void exampleFile_showsTheDefaultsInItsComments() throws IOException {
        String example = Files.readString(Path.of("aggregator.example.yaml"));
        Path explicit = write(example.replace("# journal:", "journal:")
                .replace("#   memory: 256MiB", "  memory: 256MiB")
                .replace("#   age: 1h", "  age: 1h")
                .replace("#   disk: 4GiB", "  disk: 4GiB")
                .replace("#   large: 2GiB", "  large: 2GiB")
                .replace("#   large-from: 1MiB", "  large-from: 1MiB")
                .replace("# lanes:", "lanes:")
                .replace("#   lane-memory: 16MiB", "  lane-memory: 16MiB")
                .replace("#   memory: 128MiB", "  memory: 128MiB")
                .replace("# debug-connections:", "debug-connections:")
                .replace("#   connection-memory: 64MiB", "  connection-memory: 64MiB")
                .replace("#   max-connections: 1000", "  max-connections: 1000")
                .replace("#   login-timeout: 1m", "  login-timeout: 1m")
                .replace("#   idle-timeout: 8h", "  idle-timeout: 8h")
                .replace("# wait: 5s", "wait: 5s")
                .replace("# miss: fail", "miss: fail")
                .replace("# form:\n", "form:\n")
                .replace("#   headers: [", "  headers: [")
                .replace("#     grpc-accept", "    grpc-accept")
                .replace("# mismatch: fail", "mismatch: fail")
                .replace("# token:", "token:")
                .replace("# anonymous:", "anonymous:")
                .replace("# service", "service"));

        assertThat(AggregatorConfig.read(explicit, Map.of(), List.of()).toString())
                .isEqualTo(AggregatorConfig.read(Path.of("aggregator.example.yaml"), Map.of(), List.of())
                        .toString());
    }

    @Test
    void exampleFile_withTheControlPortsTlsTurnedOn_isRight() throws IOException {
        Path explicit = write(Files.readString(Path.of("aggregator.example.yaml"))
                .replace(
                        "# tls: { certificates: [{ certificate: control",
                        "tls: { certificates: [{ certificate: control"));

        assertThat(AggregatorConfig.read(explicit, Map.of(), List.of())
                        .control()
                        .tls())
                .isEqualTo(new TerminateConfig(
                        List.of(new KeyFiles(Path.of("control.crt"), Path.of("control.key"))),
                        List.of("http/1.1"),
                        Path.of("callers.crt")));
    }

    @Test
    void settingsThatMeanNothingOverAProtocol_areRefused() throws IOException {
        Path file = write("""
                upstreams:
                  - name: bytes
                    protocol: tcp
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:1 }
                    debug: { listen: 127.0.0.1:0 }
                    miss: repeat-last
                  - name: redis
                    protocol: redis
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:0 }
                    mismatch: by-count
                faults:
                  - { upstream: bytes, fault: error }
                """);

        assertThatThrownBy(() -> AggregatorConfig.read(file, Map.of(), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "miss: repeat-last (expected: fail",
                        "mismatch: set (expected: none, except over tcp)",
                        "fault: error (expected: latency");
    }

    @Test
    void upstreamThatIsOnlyReplayed_hasNoProductionPort() throws IOException {
        String upstream = "  - {name: %s, protocol: http, production: {listen: %s, upstream: a:80},"
                + " debug: {listen: '127.0.0.1:0'}, miss: %s}%n";
        Path file = write(
                "upstreams:\n" + upstream.formatted("a", "none", "fail") + upstream.formatted("b", "none", "fail"));

        assertThat(AggregatorConfig.read(file, Map.of(), List.of()).upstreams())
                .allSatisfy(each -> assertThat(each.ports()).containsExactly(each.debugListen()));
        Path wrong =
                write("upstreams:\n" + upstream.formatted("a", "none", "live") + upstream.formatted("b", "no", "fail"));
        assertThatThrownBy(() -> AggregatorConfig.read(wrong, Map.of(), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "miss: live (expected: another one, as production.listen is none)",
                        "listen: no (expected: host:port, or none)");
    }

    @Test
    void callsAndBackground_areRules() throws IOException {
        String upstream = """
                upstreams:
                  - name: a
                    protocol: %s
                    production: { listen: 127.0.0.1:1, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:3 }
                    wait: 2s
                """;
        String rules = """
                    calls:
                      - { form: "GET /rates*", wait: 1ms, miss: repeat-last }
                      - { form: "GET /*", miss: stub }
                    background:
                      - { form: "GET /health" }
                      - { form: "/beat$/", any: true }
                """;
        CallPolicy policy = policy(upstream.formatted("redis") + rules.replace("miss: stub", "wait: 9s"));

        assertThat(policy.of(Form.of("GET", "GET /rates?of=EUR")))
                .isEqualTo(new MissPolicy(Duration.ofMillis(1), Miss.REPEAT_LAST));
        assertThat(policy.of(Form.of("GET", "GET /a"))).isEqualTo(new MissPolicy(Duration.ofSeconds(9), Miss.FAIL));
        assertThat(policy.of(Form.of("PUT", "PUT /a"))).isEqualTo(new MissPolicy(Duration.ofSeconds(2), Miss.FAIL));
        assertThat(policy.repeatsLast()).isTrue();
        Form health = Form.of("GET", "GET /health");
        assertThat(policy.background(health)).isEqualTo(health);
        assertThat(policy.background(Form.of("X", "X 1 beat"))).isEqualTo(policy.background(Form.of("Y", "Y 2 beat")));
        assertThat(policy.background(Form.of("GET", "GET /healthy"))).isNull();

        Form export = Form.of("POST", "POST /v1/traces");
        assertThat(policy(upstream.formatted("http")).background(export)).isNotNull();
        assertThat(policy(upstream.formatted("http") + "    background: []\n").background(export))
                .isNull();
        assertThat(policy(upstream.formatted("redis")).background(export)).isNull();
        assertThatThrownBy(() -> policy(upstream.formatted("http") + rules))
                .hasMessageContaining("calls[1]: miss: stub (expected: another one, unless");
    }

    private CallPolicy policy(String settings) throws IOException {
        return AggregatorConfig.read(write(settings), Map.of(), List.of())
                .upstreams()
                .get(0)
                .policy();
    }

    @Test
    void flags_standAboveTheEnvironmentAndThatAboveTheFile() {
        Map<String, String> environment =
                Map.of("UNDERSTUDY_UPSTREAMS_0_WAIT", "7s", "UNDERSTUDY_JOURNAL_MEMORY", "1MiB");
        AggregatorConfig config =
                AggregatorConfig.read(Path.of("aggregator.example.yaml"), environment, List.of("upstreams[0].wait=9s"));

        assertThat(config.upstreams().get(0).policy().usual().patience()).isEqualTo(Duration.ofSeconds(9));
        assertThat(config.journal().memory()).isEqualTo(1 << 20);
    }

    @Test
    void wrongFile_getsAllItsProblemsWithTheirPlaces() throws IOException {
        Path file = write("""
                upstreams:
                  - name: a
                    protocol: reddis
                    production: { listen: 127.0.0.1:1, upstream: nowhere }
                    debug: { listen: 127.0.0.1:1 }
                    wait: soon
                  - name: a
                    protocol: http
                    production: { listen: 127.0.0.1:2, upstream: 127.0.0.1:3 }
                    debgu: { listen: 127.0.0.1:4 }
                journal: { memory: lots }
                control: { listen: 0.0.0.0:9091 }
                """);

        assertThatThrownBy(() -> AggregatorConfig.read(file, Map.of(), List.of()))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(String.join("\n", e.problems()))
                                .contains("test.yaml:3:15: upstreams[0].protocol: reddis "
                                        + "(expected: one of http, mysql, postgres, redis, tcp)")
                                .contains(
                                        "upstreams[0].production.upstream: nowhere (expected: host:port or unix:/path)")
                                .contains("upstreams[0].wait: soon")
                                .contains("not also a port of a")
                                .contains("a name of its own")
                                .contains("upstreams[1].debug.listen: missing")
                                .contains("did you mean debug?")
                                .contains("journal.memory: lots")
                                .contains("without a token"));
    }

    @Test
    void faults_areReadFromTheFileAndASchedule() throws IOException {
        String upstream = """
                upstreams:
                  - name: a
                    protocol: redis
                    production: { listen: 127.0.0.1:1, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:3 }
                """;
        String faults = """
                faults:
                  - { upstream: a, fault: latency, delay: 200ms, jitter: 50ms, at: 30s, for: 10s, name: slow }
                  - { upstream: a, fault: reset, percent: 1.5, form: "GET *" }
                """;
        AggregatorConfig config = AggregatorConfig.read(write(upstream + faults), Map.of(), List.of());
        assertThat(config.faults()).extracting(FaultRule::name).containsExactly("slow", "a-reset");
        FaultRule slow = config.faults().get(0);
        assertThat(slow.fault()).isEqualTo(new Fault.Latency(Duration.ofMillis(200), Duration.ofMillis(50)));
        assertThat(slow.at()).isEqualTo(Duration.ofSeconds(30));
        assertThat(slow.lasts()).isEqualTo(Duration.ofSeconds(10));

        Path schedule = Files.writeString(folder.resolve("schedule.yaml"), faults.replace("200ms", "1s"));
        AggregatorConfig both = config.withFaults(config.faultSettings().schedule(schedule));
        assertThat(both.faults()).hasSize(2);
        assertThat(both.faults().get(0).fault())
                .isEqualTo(new Fault.Latency(Duration.ofSeconds(1), Duration.ofMillis(50)));

        Path wrong =
                write(upstream + faults.replace("upstream: a", "upstream: b").replace("name: slow", "name: b-reset"));
        assertThatThrownBy(() -> AggregatorConfig.read(wrong, Map.of(), List.of()))
                .hasMessageContaining("test.yaml:7:17: faults[0].upstream: b (expected: one of a)");
    }

    @Test
    void formRule_isReadForHttp() throws IOException {
        String upstream = """
                upstreams:
                  - name: a
                    protocol: http
                    production: { listen: 127.0.0.1:1, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:3 }
                    form: { headers: [X-Tenant], ignore-query: [ts], ignore-json: ["items[*].id"] }
                """;
        AggregatorConfig config = AggregatorConfig.read(write(upstream), Map.of(), List.of());
        assertThat(config.upstreams().get(0).form().text())
                .isEqualTo("method; target without parameters ts; headers x-tenant; body, of JSON without items[*].id");

        assertThatThrownBy(() ->
                        AggregatorConfig.read(write(upstream.replace("items[*].id", "a..b")), Map.of(), List.of()))
                .hasMessageContaining("ignore-json");
        assertThatThrownBy(
                        () -> AggregatorConfig.read(write(upstream.replace("http", "postgres")), Map.of(), List.of()))
                .hasMessageContaining("headers");
    }

    @Test
    void equality_isReadForSql() throws IOException {
        String upstream = """
                upstreams:
                  - name: a
                    protocol: mysql
                    production: { listen: 127.0.0.1:1, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:3 }
                    form: { equality: bytes }
                """;
        AggregatorConfig bytes = AggregatorConfig.read(write(upstream), Map.of(), List.of());
        assertThat(bytes.upstreams().get(0).spelling()).isEqualTo(SqlSpelling.BYTES);
        String usual = upstream.replace("form: { equality: bytes }", "").replace("mysql", "postgres");
        AggregatorConfig meaning = AggregatorConfig.read(write(usual), Map.of(), List.of());
        assertThat(meaning.upstreams().get(0).spelling()).isEqualTo(SqlSpelling.MEANING);
        assertThatThrownBy(() -> AggregatorConfig.read(write(upstream.replace("mysql", "tcp")), Map.of(), List.of()))
                .hasMessageContaining("form: set (expected: none, as tcp has no requests)");
    }

    @Test
    void formRule_isReadForRedis() throws IOException {
        String upstream = """
                upstreams:
                  - name: a
                    protocol: redis
                    production: { listen: 127.0.0.1:1, upstream: 127.0.0.1:2 }
                    debug: { listen: 127.0.0.1:3 }
                    form: { ignore-arguments: [xadd 3+], ignore-ttl: true, ignore-keys: ["lock:*"] }
                """;
        AggregatorConfig config = AggregatorConfig.read(write(upstream), Map.of(), List.of());
        assertThat(config.upstreams().get(0).rule())
                .isEqualTo(
                        "command; arguments without XADD 3+, without times to live; of keys like lock:* only so much");

        assertThatThrownBy(() -> AggregatorConfig.read(
                        write(upstream.replace("xadd 3+", "xadd 0").replace("lock:*", "*")), Map.of(), List.of()))
                .hasMessageContaining("xadd 0 (expected: a command and a place from 1")
                .hasMessageContaining("* (expected: the beginning of keys");
    }

    @Test
    void fileWithoutUpstreams_isWrong() throws IOException {
        Path file = write("journal: { memory: 1MiB }\n");

        assertThatThrownBy(() -> AggregatorConfig.read(file, Map.of(), List.of()))
                .hasMessageContaining("upstreams: none (expected: at least one)");
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("test.yaml"), text);
    }
}
