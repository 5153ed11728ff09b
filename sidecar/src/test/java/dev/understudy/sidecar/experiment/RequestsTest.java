package dev.understudy.sidecar.experiment;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.label.Slow;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import dev.understudy.sidecar.verdict.ReplyPair;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestsTest {
    private final ExchangeLog log = ExchangeLog.of(1_000, 256L << 20);
    private final Labels labels = new Labels(new LabelRule(
            true,
            500,
            true,
            true,
            Slow.from(Duration.ofSeconds(2)),
            List.of(LabelRule.Also.of("200 POST /orders* where json /total < 0")),
            3));
    private final Requests requests = new Requests(log, labels);

    @Test
    void newestFailure_isChosen_orTheOneThatIsAskedFor() {
        add(1, "POST /orders", 500, 5, "{\"item\":\"tea\"}");
        add(2, "POST /orders", 200, 5, "{\"item\":\"milk\"}");
        add(3, "POST /orders", 503, 5, "{\"item\":\"cake\"}");
        add(4, "POST /orders", 200, 5, "{\"item\":\"bread\"}");

        assertThat(requests.failing(0))
                .hasValueSatisfying(one -> assertThat(number(one)).isEqualTo(3));
        assertThat(requests.failing(1))
                .hasValueSatisfying(one -> assertThat(number(one)).isEqualTo(1));
        assertThat(requests.failing(9)).isEmpty();
    }

    @Test
    void goodOnes_areOfTheSameRoute_mostAlikeFirst_eachOnce_andRefusedOnesLast() {
        add(1, "POST /orders", 200, 5, "{\"item\":\"tea\",\"count\":3,\"note\":\"at the door\"}");
        add(2, "POST /orders", 200, 5, "[]");
        add(3, "POST /orders", 200, 5, "{\"item\":\"tea\",\"count\":3,\"note\":\"at the gate\"}");
        add(4, "POST /orders", 200, 5, "{\"item\":\"tea\",\"count\":3,\"note\":\"at the gate\"}");
        add(5, "POST /orders", 404, 5, "{\"item\":\"tea\",\"count\":4,\"note\":\"at the yard\"}");
        add(6, "POST /quotes", 200, 5, "{\"item\":\"tea\",\"count\":4,\"note\":\"at the yard\"}");
        add(7, "POST /orders", 500, 5, "{\"item\":\"tea\",\"count\":4,\"note\":\"at the yard\"}");
        add(8, "POST /orders", 500, 5, "{\"item\":\"tea\",\"count\":4,\"note\":\"at the yard!\"}");

        List<Sample> passing = requests.passing(requests.failing(8).orElseThrow(), 4);

        assertThat(passing.stream().map(RequestsTest::number)).containsExactly(4L, 1L, 2L, 5L);
    }

    @Test
    void whereNoneOfTheRouteWentWell_oneWhosePathDiffersInOnePartWillDo() {
        add(1, "GET /beginning/Anna", 200, 5, "");
        add(2, "GET /beginning/Clara/Kent", 200, 5, "");
        add(3, "GET /named/erika/2", 200, 5, "");
        add(4, "PUT /beginning/Bernd", 200, 5, "");
        add(5, "GET /towns", 200, 5, "");
        add(6, "GET /beginning/erika", 500, 5, "");
        add(7, "GET /towers", 500, 5, "");
        add(8, "GET /towns/", 200, 5, "");
        add(9, "GET /towers/", 500, 5, "");

        assertThat(requests.passing(requests.failing(6).orElseThrow(), 4).stream()
                        .map(RequestsTest::number))
                .containsExactly(1L);
        assertThat(requests.passing(requests.failing(7).orElseThrow(), 4))
                .as("another resource")
                .isEmpty();
        assertThat(requests.passing(requests.failing(9).orElseThrow(), 4))
                .as("another one that ends with a slash")
                .isEmpty();
        assertThat(requests.passingOfRoute(requests.failing(6).orElseThrow(), 4))
                .isEmpty();
    }

    @Test
    void oneThatFailsByItself_isChosenBeforeANewerOneThatOnlyDiffers() {
        add(1, "POST /orders", 500, 5, "{}");
        addDiffering(2, "right");

        assertThat(requests.failing(0))
                .hasValueSatisfying(one -> assertThat(number(one)).isEqualTo(1));
    }

    @Test
    void reply_failsByStatusOrByWhatItShows_andNoneDoes() {
        add(1, "POST /orders", 500, 5, "{}");
        Sample sample = requests.failing(0).orElseThrow();

        assertThat(requests.fails(sample, reply(500, "{}"))).isTrue();
        assertThat(requests.fails(sample, reply(200, "{\"total\":-1}"))).isTrue();
        assertThat(requests.fails(sample, reply(200, "{\"total\":1}"))).isFalse();
        assertThat(requests.fails(sample, ReplyFacts.none("closed", 5))).isTrue();
    }

    @Test
    void oneThatFailedByDiffering_failsUntilItsReplyIsProductions() {
        addDiffering(1, "right");
        Sample sample = requests.failing(0).orElseThrow();

        assertThat(requests.fails(sample, reply(200, "wrong"))).isTrue();
        assertThat(requests.fails(sample, reply(404, "right"))).isTrue();
        assertThat(requests.fails(sample, reply(200, "right"))).isFalse();
    }

    @Test
    void requestThatIsNoneOfHttp_isNotChosen() {
        Failing failing = new Failing("STATUS", "status from 500 on");
        log.add("debug", "GET /x", judged(1, "GET /x", 500, 5), failing, new ReplyPair(null, null, new byte[] {1, 2, 3
        }));

        assertThat(requests.failing(0)).isEmpty();
    }

    private static long number(Sample sample) {
        return sample.entry().judged().exchange();
    }

    private static ReplyFacts reply(int status, String body) {
        return new ReplyFacts(status, List.of(), body.getBytes(StandardCharsets.UTF_8), 5, "");
    }

    private void add(long exchange, String request, int status, double millis, String body) {
        String bytes = request + " HTTP/1.1\r\nHost: shop\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        log.add(
                "debug",
                request,
                judged(exchange, request, status, millis),
                status < 500 ? null : new Failing("STATUS", "status from 500 on"),
                new ReplyPair(null, null, bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private void addDiffering(long exchange, String right) {
        byte[] bytes = "GET /x HTTP/1.1\r\nHost: shop\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] body = right.getBytes(StandardCharsets.UTF_8);
        ReplyExcerpt production = new ReplyExcerpt(200, "", List.of(), body, body.length);
        log.add(
                "debug",
                "GET /x",
                judged(exchange, "GET /x", 200, 5),
                new Failing("DIFFERENT", "the replies differ"),
                new ReplyPair(production, null, bytes));
    }

    private static Judged judged(long exchange, String request, int status, double millis) {
        return new Judged(exchange, "web", 1, null, request, Verdict.SAME, null, 5.0, millis, 0, status, status, 0);
    }
}
