package dev.understudy.agent.fork;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests at the same time, on virtual threads and as streams of one HTTP/2 connection: each is an exchange of its
 * own.
 */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class MeetingsIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e";
    private static final Pattern METHOD = Pattern.compile("\"(\\d+)\":\"[^\"]*Meeting#(\\w+)\"");
    private static final Pattern EXCHANGE =
            Pattern.compile("\\{\"span\":\"(\\w{4})\\w{12}\"[^}]*?\"held\":\\[([\\d,]*)\\]");

    static Stream<Arguments> servers() throws IOException {
        List<Arguments> servers = new ArrayList<>();
        for (Path java : ForkedJvm.javas().toList()) {
            boolean own = java.equals(
                    Path.of(System.getProperty("java.home"), "bin", "java").toRealPath());
            boolean virtually = !own || Runtime.version().feature() >= 21;
            if (virtually) {
                for (Class<?> server : List.of(TomcatServer.class, JettyServer.class)) {
                    servers.add(Arguments.of(java, server, List.of("-Dvirtual=true")));
                    servers.add(Arguments.of(java, server, List.of("-Dvirtual=true", "-Dh2c=true")));
                }
            } else {
                for (Class<?> server : List.of(TomcatServer.class, JettyServer.class, WebFluxServer.class)) {
                    servers.add(Arguments.of(java, server, List.of("-Dh2c=true")));
                }
            }
        }
        return servers.stream();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void requestsAtTheSameTime_areEachAnExchangeOfItsOwn(Path java, Class<?> server, List<String> options)
            throws Exception {
        boolean streams = options.contains("-Dh2c=true");
        String arguments = "=debug=true,budget=1,service=meetings,packages=dev.understudy.agent.fork,sidecar=";
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.startWithEverything(
                        java, arguments + sidecar.url(), options, List.of(server.getName()))) {
            sidecar.reportWith("\"state\":\"armed\"");
            HttpClient client = HttpClient.newBuilder()
                    .version(streams ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                    .build();
            assertThat(ask(client, jvm, "3", 9, 0).join()).isEqualTo("price 13"); // upgrades the connection
            Map<String, String> names = new HashMap<>();
            Map<Integer, List<String>> observed = new TreeMap<>();
            int asked = 1;
            long begun = System.nanoTime();
            for (int round = 1; !enough(observed) && System.nanoTime() - begun < Patience.LONG.toNanos(); round++) {
                List<CompletableFuture<String>> answers = new ArrayList<>();
                for (int way = 0; way < Meeting.WAYS.size(); way++) {
                    answers.add(ask(client, jvm, "meet/" + Meeting.WAYS.get(way), way, round));
                    asked++;
                }
                for (int way = 0; way < Meeting.WAYS.size(); way++) {
                    assertThat(answers.get(way).join()).isEqualTo("by " + Meeting.WAYS.get(way));
                }
                if (round % 5 == 0) {
                    sidecar.report();
                    read(sidecar.observationsSoFar(), names, observed);
                }
            }
            if (!streams) { // what HTTP/2 says of a connection is read by its threads, too, and begins no request
                sidecar.reportWith("\"exchanges\":" + asked + ",");
            }
            for (int way = 0; way < Meeting.WAYS.size(); way++) {
                assertThat(observed.get(way))
                        .as("%d", way)
                        .hasSizeGreaterThan(2)
                        .containsOnly(Meeting.WAYS.get(way));
            }
            for (OtlpSpan span : sidecar.spansSoFar()) {
                int way = Meeting.WAYS.indexOf(span.name().replace("Meeting.", ""));
                if (way >= 0) {
                    assertThat(span.trace()).isEqualTo(TRACE + "000" + way);
                }
            }
        }
    }

    private static boolean enough(Map<Integer, List<String>> observed) {
        return Stream.of(0, 1, 2, 3)
                .allMatch(way -> observed.getOrDefault(way, List.of()).size() > 2);
    }

    /** What each observed exchange called, by the way that it was asked for. */
    private static void read(String batches, Map<String, String> names, Map<Integer, List<String>> observed) {
        for (Matcher method = METHOD.matcher(batches); method.find(); ) {
            names.put(method.group(1), method.group(2));
        }
        for (Matcher exchange = EXCHANGE.matcher(batches); exchange.find(); ) {
            int way = Integer.parseInt(exchange.group(1), 16);
            for (String held : exchange.group(2).split(",", -1)) {
                String name = held.isEmpty() ? null : names.get(Integer.toString(Integer.parseInt(held) / 16));
                if (name != null && Meeting.WAYS.contains(name) && Integer.parseInt(held) % 16 == 0) {
                    observed.computeIfAbsent(way, first -> new ArrayList<>()).add(name);
                }
            }
        }
    }

    private static CompletableFuture<String> ask(HttpClient client, ForkedJvm jvm, String path, int way, int round) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + jvm.port() + '/' + path))
                .timeout(Patience.LONG)
                .header("traceparent", String.format("00-%s%04x-%04x%012x-01", TRACE, way, way, round + 1))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(answer -> {
            if (path.startsWith("meet")) {
                assertThat(answer.version()).isEqualTo(client.version());
            }
            return answer.body();
        });
    }
}
