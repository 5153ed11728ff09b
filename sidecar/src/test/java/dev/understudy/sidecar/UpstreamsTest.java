package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.OpenApi;
import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.upstream.AggregatorReader;
import dev.understudy.sidecar.upstream.UpstreamsView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the control port shows of upstreams; the end-to-end tests have a real aggregator. */
final class UpstreamsTest {
    private static final String MATCHES = "{\"matches\":[%s],\"kinds\":[]}";
    private static final String HIT = "{\"id\":%d,\"upstream\":\"db\",\"form\":\"SELECT 1\",\"outcome\":\"REPLAYED\"}";
    private static final String MISS = "{\"id\":9,\"upstream\":\"cache\",\"form\":\"GET 17\",\"outcome\":\"MISSED\"}";

    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicLong now = new AtomicLong();
    private volatile boolean holding;
    private volatile String first = HIT.formatted(1);
    private volatile String faults = "{\"name\":\"f\",\"upstream\":\"db\"}";
    private HttpService aggregator;
    private AggregatorReader reader;

    @BeforeEach
    void open() throws Exception {
        aggregator = HttpService.answering((asked, exchange) -> {
            if (holding) {
                held.await();
            }
            String target = asked.target();
            HttpService.reply(
                    exchange,
                    200,
                    target.startsWith("/v1/status")
                            ? "{\"upstreams\":[{\"name\":\"db\"},{\"name\":\"cache\"}]}"
                            : target.contains("outcome=MISSED")
                                    ? MATCHES.formatted(MISS)
                                    : target.startsWith("/v1/matches")
                                            ? MATCHES.formatted(first + "," + MISS)
                                            : "{\"misses\":[],\"kinds\":[{\"upstream\":\"cache\",\"form\":\"GET N\"}],"
                                                    + "\"faults\":[" + faults + "]}");
        });
        reader = new AggregatorReader(new LinkConfig("http://" + address(aggregator), "s3cret", ""), now::get);
    }

    @AfterEach
    void close() {
        held.countDown();
        reader.close();
        aggregator.close();
    }

    @Test
    void calls_areReadBehindTheCaller_whoNeverWaits() throws Exception {
        holding = true;
        assertThat(read().path("state").asText()).isEqualTo("WAITING");
        held.countDown();
        await().until(() -> read().path("state").asText().equals("READ"));

        JsonNode all = read();
        assertThat(all.path("upstreams").findValuesAsText("name")).containsExactly("db", "cache");
        assertThat(all.path("calls").findValuesAsText("id")).containsExactly("1", "9");
        assertThat(all.path("misses").findValuesAsText("id")).containsExactly("9");
        assertThat(all.path("kinds").findValuesAsText("form")).containsExactly("GET N");
        assertThat(all.path("faults").findValuesAsText("name")).containsExactly("f");
        assertThat(aggregator.asked)
                .allSatisfy(asked ->
                        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer s3cret"));
    }

    @Test
    void filters_areThePortsNotThePages() throws Exception {
        await().until(() -> read().path("state").asText().equals("READ"));

        assertThat(read("upstream", "db").path("calls").findValuesAsText("id")).containsExactly("1");
        assertThat(read("upstream", "db").path("misses")).isEmpty();
        assertThat(read("outcome", "MISSED").path("calls").findValuesAsText("id"))
                .containsExactly("9");
        assertThat(read("limit", "1").path("calls")).hasSize(1);
        for (String[] wrong : new String[][] {{"outcome", "ODD"}, {"limit", "0"}, {"limit", "101"}}) {
            assertThatThrownBy(() -> read(wrong)).hasMessageContainingAll(wrong[0], wrong[1], "expected");
        }
    }

    /** The page warns while one is active, and takes all back at once: none may be out of sight. */
    @Test
    void faults_areShownAll_whateverTheFilter() throws Exception {
        faults = IntStream.range(0, 256)
                .mapToObj(n -> "{\"name\":\"f" + n + "\",\"upstream\":\"db\"}")
                .collect(Collectors.joining(","));
        await().until(() -> read().path("state").asText().equals("READ"));

        assertThat(read().path("faults")).hasSize(256);
        assertThat(read("upstream", "cache").path("faults")).hasSize(256);
        assertThat(read("limit", "1").path("faults")).hasSize(256);
    }

    @Test
    void readings_areASecondApart_howeverManyLook() throws Exception {
        await().until(() -> read().path("state").asText().equals("READ"));
        int asked = aggregator.asked.size();
        for (int n = 0; n < 100; n++) {
            read();
        }
        assertThat(aggregator.asked).hasSize(asked);
        now.addAndGet(1_000_000_000L);
        read();
        await().until(() -> aggregator.asked.size() == 2 * asked);
    }

    @Test
    void longAnswers_areReadInPart_andEndlessOnesNot() throws Exception {
        String many = IntStream.range(0, 3_000).mapToObj(HIT::formatted).collect(Collectors.joining(","));
        first = many;
        await().until(() -> read().path("state").asText().equals("FAILED"));
        assertThat(read().path("problem").asText()).contains("more than");
        assertThat(aggregator.asked.stream().map(HttpService.Asked::target))
                .contains("/v1/matches?kinds=0&limit=100", "/v1/matches?kinds=0&limit=10");

        first = HIT.formatted(1);
        now.addAndGet(1_000_000_000L);
        await().until(() -> read().path("state").asText().equals("READ"));
    }

    @Test
    void faultsThatWereRead_areToldOn_whileTheAggregatorCannotBeRead() throws Exception {
        await().until(() -> read().path("state").asText().equals("READ"));
        first = "no JSON";
        now.addAndGet(1_000_000_000L);
        await().until(() -> read().path("state").asText().equals("FAILED"));
        assertThat(read().path("faults").findValuesAsText("name")).containsExactly("f");
    }

    @Test
    void aggregatorThatIsNone_isNamedWithItsReason() throws Exception {
        first = "no JSON";
        await().until(() -> read().path("state").asText().equals("FAILED"));
        assertThat(read().path("problem").asText()).contains("/v1/matches", "something else than JSON");
        assertThat(read().path("faults")).as("never read").isEmpty();

        try (AggregatorReader nowhere = new AggregatorReader(new LinkConfig("http://127.0.0.1:1", "", ""), now::get)) {
            await().until(() -> read(nowhere).path("state").asText().equals("FAILED"));
            assertThat(read(nowhere).path("problem").asText()).isNotEmpty();
        }
        try (AggregatorReader none = new AggregatorReader(LinkConfig.none(), now::get)) {
            assertThat(read(none).path("state").asText()).isEqualTo("NONE");
        }
    }

    @Test
    void document_fitsItsSchema() throws Exception {
        try (HttpService production = HttpService.saying("{}");
                Stage stage = Stage.open(production.address(), aggregator.address())) {
            OpenApi api = new OpenApi(stage.control("/v1/openapi.json"));
            await().until(() -> read().path("state").asText().equals("READ"));
            for (String document : List.of(
                    read().toString(), stage.controlText("/v1/upstreams").body())) {
                api.assertFits("/components/schemas/Upstreams", document, "upstreams");
            }
        }
    }

    private JsonNode read(String... parameters) throws Exception {
        return read(reader, parameters);
    }

    private static JsonNode read(AggregatorReader reader, String... parameters) {
        Map<String, List<String>> query =
                parameters.length == 0 ? Map.of() : Map.of(parameters[0], List.of(parameters[1]));
        return new ObjectMapper()
                .valueToTree(new UpstreamsView(reader).read(new Call("/v1/upstreams", query, "", new byte[0])));
    }

    private static String address(HttpService service) {
        return service.address().getHostString() + ":" + service.address().getPort();
    }
}
