package dev.understudy.sidecar.config;

import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.divergence.wire.http.GrpcCode;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.TerminateConfig;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Slow;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

final class SidecarConfigTest {
    private static final Path EXAMPLE = Path.of("sidecar.example.yaml");
    private static final String LEAST = "listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:8081}]\n";

    @TempDir
    Path folder;

    @Test
    void example_isComplete_andSaysTheDefaults() throws IOException {
        SidecarConfig example = read(EXAMPLE, Map.of());
        SidecarConfig least = read(write(LEAST), Map.of());

        assertThat(example.window()).isEqualTo(least.window());
        assertThat(example.maxBody()).isEqualTo(least.maxBody());
        assertThat(example.keptVerdicts()).isEqualTo(least.keptVerdicts()).isEqualTo(200);
        assertThat(example.control()).isEqualTo(least.control());
        assertThat(example.telemetry()).isEqualTo(least.telemetry());
        assertThat(example.record()).isEqualTo(least.record());
        assertThat(example.suspects()).isEqualTo(least.suspects());
        assertThat(example.sharedProbes()).isEqualTo(least.sharedProbes());
        assertThat(example.resync()).isEqualTo(least.resync());
        assertThat(example.drain()).isEqualTo(least.drain());
        assertThat(example.redact()).isEqualTo(least.redact()).isEqualTo(SecretRules.NONE);
        assertThat(example.transport()).isEqualTo(least.transport());
        ListenerConfig listener = example.listeners().get(0);
        assertThat(listener.protocol()).isEqualTo(least.listeners().get(0).protocol());
        assertThat(listener.order()).isEqualTo(least.listeners().get(0).order());
        assertThat(listener.production()).isEqualTo(least.listeners().get(0).production());
        assertThat(listener.accept()).isEqualTo(least.listeners().get(0).accept());
        assertThat(listener.recorded()).isEqualTo(least.listeners().get(0).recorded());
        assertThat(listener.tee()).isEqualTo(least.listeners().get(0).tee());
    }

    @Test
    void sampling_isReadAsSharesAndPaths() throws IOException {
        Path file = write(LEAST.replace(
                "}]", ", tee: paused, sample: {connections: 25%, requests: 0.5%, header: X-User, paths: [/a, /b]}}]"));

        assertThat(read(file, Map.of()).listeners().get(0).tee())
                .isEqualTo(new TeeConfig(
                        TeeMode.PAUSED, new Sampling(0.25, 0.005, "X-User", List.of("/a", "/b"), List.of())));
        Path keys =
                write(LEAST.replace("}]", ", protocol: redis, sample: {requests: 50%, keys: ['user:', 'cart:']}}]"));
        assertThat(read(keys, Map.of()).listeners().get(0).tee().sampling())
                .isEqualTo(new Sampling(1, 0.5, null, List.of(), List.of("user:", "cart:")));
        ConfigException mixed = catchThrowableOfType(
                ConfigException.class, () -> read(write(LEAST.replace("}]", ", sample: {keys: [a]}}]")), Map.of()));
        assertThat(mixed.problems())
                .anyMatch(line -> line.contains("sample: keys [a] (expected: none, unless protocol is redis)"));
        mixed = catchThrowableOfType(
                ConfigException.class,
                () -> read(write(LEAST.replace("}]", ", protocol: redis, sample: {paths: [/a]}}]")), Map.of()));
        assertThat(mixed.problems())
                .anyMatch(line ->
                        line.contains("sample: by paths or a header (expected: neither, unless protocol is http)"));
        mixed = catchThrowableOfType(
                ConfigException.class,
                () -> read(write(LEAST.replace("}]", ", protocol: postgres, sample: {requests: 50%}}]")), Map.of()));
        assertThat(mixed.problems())
                .anyMatch(line -> line.contains("sample: requests 50.0% (expected: 100% with protocol postgres"));
        ConfigException problems = catchThrowableOfType(
                ConfigException.class,
                () -> read(write(LEAST.replace("}]", ", sample: {connections: 101%, paths: [a]}}]")), Map.of()));
        assertThat(problems.problems())
                .anyMatch(line -> line.contains("sample.connections: 101% (expected: 0% to 100%)"))
                .anyMatch(line -> line.contains("sample.paths: a (expected: a path that begins with /)"));
    }

    @Test
    void whichExchangesFail_isReadInFull() throws IOException {
        String rule = LEAST
                + "suspects: {different: false, status: 400, escaped: false, logged: false, slow: p99.5, least: 3,"
                + " also: [404 GET /users/*]}\n";
        LabelRule.Also also = LabelRule.Also.of("404 GET /users/*");

        assertThat(read(write(rule), Map.of()).suspects())
                .isEqualTo(new LabelRule(false, 400, false, false, Slow.percentile("p99.5"), List.of(also), 3));
        assertThat(read(write(rule.replace("p99.5", "250ms")), Map.of())
                        .suspects()
                        .slow())
                .isEqualTo(Slow.from(Duration.ofMillis(250)));
        for (String wrong : List.of("p49", "p100", "soon")) {
            assertThatThrownBy(() -> read(write(rule.replace("p99.5", wrong)), Map.of()))
                    .hasMessageContaining("suspects.slow: " + wrong
                            + " (expected: a time such as 250ms or 5s, a percentile such as p99, or never)");
        }
    }

    @Test
    void whichCodesOfGrpcFail_areReadByNumberAndName() throws IOException {
        assertThat(read(write(LEAST + "suspects: {grpc: [13, NOT_FOUND]}\n"), Map.of())
                        .suspects()
                        .grpc())
                .containsExactlyInAnyOrder(GrpcCode.INTERNAL, GrpcCode.NOT_FOUND);
        assertThat(read(write(LEAST + "suspects: {grpc: []}\n"), Map.of())
                        .suspects()
                        .grpc())
                .isEmpty();
        assertThatThrownBy(() -> read(write(LEAST + "suspects: {grpc: [17]}\n"), Map.of()))
                .hasMessageContaining("suspects.grpc: 17 (expected: a gRPC status from 0 to 16 or its name");
        assertThatThrownBy(() -> read(write(LEAST + "suspects: {also: ['grpc:17 POST /a']}\n"), Map.of()))
                .hasMessageContaining("suspects.also: grpc:17 POST /a (expected:")
                .hasMessageContaining("of gRPC grpc:5 (0 to 16, or NOT_FOUND) POST /shop.Cart/*");
    }

    @Test
    void tracesPage_hasAPlaceForTheId() throws IOException {
        String page = "telemetry: {trace-page: '%s'}\n";
        TelemetryConfig telemetry = read(write(LEAST + page.formatted("https://jaeger/trace/{trace}?x=1")), Map.of())
                .telemetry();
        assertThat(telemetry.pageOf("12ab")).isEqualTo("https://jaeger/trace/12ab?x=1");
        assertThat(TelemetryConfig.defaults().pageOf("12ab")).isEmpty();
        for (String wrong : List.of("http://jaeger/", "javascript:alert({trace})", "{trace}", "http://{trace}{")) {
            assertThatThrownBy(() -> read(write(LEAST + page.formatted(wrong)), Map.of()))
                    .hasMessageContaining("telemetry.trace-page: " + wrong + " (expected: an http://");
        }
    }

    @Test
    void whetherAgentsShareMethods_isRead() throws IOException {
        assertThat(read(write(LEAST + "probes: shared\n"), Map.of()).sharedProbes())
                .isTrue();
    }

    @Test
    void problems_areToldAllAtOnce_withLineAndColumn() throws IOException {
        Path wrong = write("""
                listeners:
                  - name: a
                    listen: 127.0.0.1:8080
                    production: 127.0.0.1
                    protocol: htpp
                  - name: a
                    listen: 127.0.0.1:8090
                    production: 127.0.0.1:8091
                    debug: 127.0.0.1:8091
                window: { lane-memory: 16 apples, reply-timeot: 3s }
                comparison: { max-body: 1GiB, keep-verdicts: 20000 }
                control: { listen: 0.0.0.0:9090 }
                telemetry: { otlp: "ftp://x" }
                """);

        ConfigException problems = catchThrowableOfType(ConfigException.class, () -> read(wrong, Map.of()));

        assertThat(problems.problems())
                .anyMatch(line -> line.startsWith("sidecar.yaml:4:17: listeners[0].production: 127.0.0.1 (expected"))
                .anyMatch(line -> line.startsWith(
                        "sidecar.yaml:5:15: listeners[0].protocol: htpp (expected: one of http, redis, postgres, tcp)"))
                .anyMatch(line -> line.startsWith("sidecar.yaml:6:5: listeners[1]: debug: 127.0.0.1:8091 (expected"))
                .anyMatch(line -> line.startsWith("sidecar.yaml:10:24: window.lane-memory: 16 apples (expected"))
                .anyMatch(line -> line.contains("window.reply-timeot: unknown key; did you mean reply-timeout?"))
                .anyMatch(line -> line.contains("max-body: 1073741824 (expected: at most 256MiB)"))
                .anyMatch(line -> line.contains("keep-verdicts: 20000 (expected: 1 to 10000)"))
                .anyMatch(line -> line.contains("without a token"))
                .anyMatch(line -> line.contains("telemetry.otlp: ftp://x (expected"))
                .hasSize(9);
    }

    @Test
    void production_mayBeAList_alsoFromOutside() throws IOException {
        String listener = "listeners: [{name: a, listen: 127.0.0.1:0, production: ";
        List<Address> both = List.of(new Address.Inet("a", 1), new Address.Unix("/run/b.sock"));

        Path list = write(listener + "[\"a:1\", \"unix:/run/b.sock\"], health: {fall: 5}}]\n");
        ListenerConfig read = read(list, Map.of()).listeners().get(0);
        assertThat(read.production().addresses()).isEqualTo(both);
        assertThat(read.production().health().fall()).isEqualTo(5);

        Map<String, String> outside = Map.of("UNDERSTUDY_LISTENERS_0_PRODUCTION", "a:1, unix:/run/b.sock");
        read = read(write(listener + "c:3}]\n"), outside).listeners().get(0);
        assertThat(read.production().addresses()).isEqualTo(both);

        Path wrong = write(listener + "[\"a:1\", b], health: {fall: 0, intervall: 1s}, dns-ttl: 1ms}]\n");
        assertThatThrownBy(() -> read(wrong, Map.of()))
                .hasMessageContaining("production: b (expected: host:port or unix:/path)")
                .hasMessageContaining("health.fall: 0 (expected: 1 to 1000)")
                .hasMessageContaining("health.intervall: unknown key; did you mean interval?")
                .hasMessageContaining("dns-ttl");
    }

    @Test
    void transparentListener_hasNoProductionOfItsOwn() throws IOException {
        Path clear = write(LEAST.replace("production: 127.0.0.1:8081", "transparent: true"));
        assertThat(read(clear, Map.of()).listeners().get(0).production().transparent())
                .isTrue();

        Path both = write(LEAST.replace("}]", ", transparent: true}]"));
        assertThatThrownBy(() -> read(both, Map.of())).hasMessageContaining("production: 1 addresses (expected: none");
    }

    @Test
    void tls_isReadForBothSides() throws IOException {
        String tls = ", tls: {certificates: [{certificate: a.crt, key: a.key}], alpn: \"\"}, "
                + "production-tls: {server-name: shop.internal, certificate: b.crt, key: b.key}}]";
        ListenerConfig read =
                read(write(LEAST.replace("}]", tls)), Map.of()).listeners().get(0);
        KeyFiles own = new KeyFiles(Path.of("b.crt"), Path.of("b.key"));
        assertThat(read.accept().tls())
                .isEqualTo(new TerminateConfig(List.of(new KeyFiles(Path.of("a.crt"), Path.of("a.key"))), List.of()));
        assertThat(read.production().tls())
                .isEqualTo(new OriginateConfig("shop.internal", null, own, List.of("http/1.1")));

        Path both = write(LEAST.replace("}]", tls.replace("\"\"", "[h2, http/1.1]")));
        assertThat(read(both, Map.of()).listeners().get(0).accept().tls())
                .extracting(TerminateConfig::protocols)
                .isEqualTo(List.of("h2", "http/1.1"));

        Path clear = write(LEAST.replace("}]", tls.replace("\"\"", "h2c")));
        assertThatThrownBy(() -> read(clear, Map.of()))
                .hasMessageContaining("tls.alpn: h2c (expected: http/1.1, h2, …)");

        Path wrong = write(LEAST.replace("}]", ", tls: {alpn: h2c}, production-tls: {key: b.key, cert: b.crt}}]"));
        assertThatThrownBy(() -> read(wrong, Map.of()))
                .hasMessageContaining("tls: certificates: missing")
                .hasMessageContaining("production-tls.server-name: missing")
                .hasMessageContaining("production-tls.certificate: missing")
                .hasMessageContaining("production-tls.cert: unknown key");
    }

    @Test
    void proxyProtocol_needsTrustedPeersToTakeHeaders() throws IOException {
        String listener = LEAST.replace("}]", ", proxy-protocol: {mode: both, version: v1%s}}]");

        Path right = write(listener.formatted(", trusted: [10.0.0.0/8, \"::1\"]"));
        ProxyProtocolConfig proxy =
                read(right, Map.of()).listeners().get(0).accept().proxy();
        assertThat(proxy.mode()).isEqualTo(ProxyProtocolConfig.Mode.BOTH);
        assertThat(proxy.version()).isEqualTo(ProxyProtocolConfig.Version.V1);
        assertThat(proxy.trusts(new InetSocketAddress("10.1.1.1", 1))).isTrue();
        assertThat(proxy.trusts(new InetSocketAddress("11.1.1.1", 1))).isFalse();

        Path nobody = write(listener.formatted(""));
        assertThatThrownBy(() -> read(nobody, Map.of()))
                .hasMessageContaining("proxy-protocol: trusted: none (expected");
        Path name = write(listener.formatted(", trusted: [balancer]"));
        assertThatThrownBy(() -> read(name, Map.of())).hasMessageContaining("trusted: balancer (expected: an address");
    }

    @Test
    void listener_thatRelaysToItself_isRefused() throws IOException {
        Path loop = write("listeners: [{name: a, listen: 127.0.0.1:8080, production: 127.0.0.1:8080}]\n");

        assertThatThrownBy(() -> read(loop, Map.of()))
                .hasMessageContaining("listen: 127.0.0.1:8080 (expected: neither production's address nor debug's)");
    }

    @Test
    void listeners_withOneNameOrAddress_areRefused() throws IOException {
        Path twice = write("""
                listeners:
                  - { name: a, listen: 127.0.0.1:8080, production: 127.0.0.1:8081 }
                  - { name: a, listen: 127.0.0.1:8080, production: 127.0.0.1:8082 }
                """);

        assertThatThrownBy(() -> read(twice, Map.of()))
                .hasMessageContaining("a name no other listener has")
                .hasMessageContaining("an address no other listener has");
    }

    @Test
    void file_withoutListeners_isRefused() throws IOException {
        assertThatThrownBy(() -> read(write("window: {}\n"), Map.of())).hasMessageContaining("at least one");
    }

    @Test
    void environment_standsAboveTheFile_andFlagsAboveBoth() throws IOException {
        Path file = write(LEAST + "window: { memory: 32MiB, lane-memory: 1MiB, order-wait: 1s }\n");
        Map<String, String> environment =
                Map.of("UNDERSTUDY_WINDOW_MEMORY", "1GiB", "UNDERSTUDY_WINDOW_ORDER_WAIT", "2s");

        SidecarConfig config = read(file, environment, "window.order-wait=3s", "listeners[0].debug=127.0.0.1:8082");

        assertThat(config.window().memory()).isEqualTo(1L << 30);
        assertThat(config.window().orderWait()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.listeners().get(0).debug()).isNotEmpty();
    }

    @Test
    void debug_mayBeAMappingWithTls() throws IOException {
        Path file = write("""
                listeners:
                  - name: a
                    listen: 127.0.0.1:0
                    production: 127.0.0.1:8081
                    debug:
                      - 127.0.0.1:8082
                      - name: patched
                        address: 127.0.0.1:8083
                        copy: live
                        tls: {server-name: shop, ca: a.crt, alpn: h2}
                """);

        assertThat(read(file, Map.of()).listeners().get(0).debug())
                .containsExactly(
                        new DebugTarget("debug", InetSocketAddress.createUnresolved("127.0.0.1", 8082)),
                        new DebugTarget(
                                "patched",
                                InetSocketAddress.createUnresolved("127.0.0.1", 8083),
                                new OriginateConfig("shop", Path.of("a.crt"), null, List.of("h2")),
                                CopyState.LIVE));
        assertThat(catchThrowableOfType(
                                ConfigException.class,
                                () -> read(
                                        write(LEAST.replace("}]", ", debug: {adress: 127.0.0.1:1, tls: {}}}]")),
                                        Map.of()))
                        .problems())
                .anyMatch(line -> line.contains("debug[0].address: missing (expected: host:port)"))
                .anyMatch(line -> line.contains("debug[0].adress: unknown key; did you mean address?"))
                .anyMatch(line -> line.contains("debug[0].tls.server-name: missing"));
    }

    @Test
    void agentsKey_isReadFromItsFile_andNeverShown() throws IOException {
        Path key = Files.write(
                folder.resolve("key"), "a key that is long enough\u00e9".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(read(write(LEAST), Map.of()).agentKey().isSet()).isFalse();
        SidecarConfig config = read(write(LEAST + "agents: {key-file: " + key + "}"), Map.of());
        assertThat(config.agentKey().isSet()).isTrue();
        assertThat(config.within(1 << 20).agentKey()).isSameAs(config.agentKey());
        assertThat(config.toString()).contains("agentKey=set");

        Files.writeString(key, " secret\n");
        ConfigException problems = catchThrowableOfType(
                ConfigException.class, () -> read(write(LEAST + "agents: {key-file: " + key + "}"), Map.of()));
        assertThat(problems.problems())
                .anyMatch(line -> line.contains("key-file: " + key + " a key of 6 bytes (expected: 16 to 4096)"))
                .noneMatch(line -> line.contains("secret"));
        problems = catchThrowableOfType(
                ConfigException.class,
                () -> read(write(LEAST + "agents: {key-file: " + folder.resolve("none") + "}"), Map.of()));
        assertThat(problems.problems()).anyMatch(line -> line.contains("none can't be read: "));
    }

    @Test
    void ioUring_isNotForTransparentListeners() throws IOException {
        assertThat(read(write(LEAST), Map.of(), "transport=io_uring").transport())
                .isEqualTo(Transport.IO_URING);

        Path transparent =
                write("listeners: [{name: a, listen: 127.0.0.1:0, transparent: true}]\ntransport: io_uring\n");
        assertThat(catchThrowableOfType(ConfigException.class, () -> read(transparent, Map.of()))
                        .problems())
                .singleElement()
                .asString()
                .contains("transport: io_uring (expected: epoll, as long as a listener is transparent)");
    }

    private SidecarConfig read(Path file, Map<String, String> environment, String... sets) {
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(environment, List.of(sets), problems), problems);
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("sidecar.yaml"), yaml);
    }
}
