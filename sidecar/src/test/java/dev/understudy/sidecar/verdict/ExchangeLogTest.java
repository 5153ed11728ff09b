package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.wire.http.Header;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ExchangeLogTest {
    private static final long PLENTY = 1 << 20;

    @Test
    void aHundredThousand_areKept_andFoundAtOnce_inASixteenthOfTheHeap() {
        ExchangeLog log = ExchangeLog.of(100_000, 1L << 30);
        for (int n = 1; n <= 100_500; n++) {
            log.add("debug", "GET /orders/{n}", judged(n, "GET /orders/" + n), null);
        }
        assertThat(log.oldest()).isEqualTo(501);
        assertThat(log.find(501)).isNotNull();
        assertThat(log.find(500)).isNull();

        ExchangeLog small = ExchangeLog.of(100_000, 16 << 20);
        for (int n = 1; n <= 100_000; n++) {
            small.add("debug", "GET /orders/{n}", judged(n, "GET /orders/" + n), null);
        }
        assertThat(small.newest() - small.oldest()).as("of a megabyte").isBetween(1_000L, 3_300L);
    }

    @Test
    void newestAreKept_andFoundNewestFirst() {
        ExchangeLog log = new ExchangeLog(3, PLENTY, PLENTY);
        for (int exchange = 11; exchange <= 15; exchange++) {
            log.add("debug", "GET /", judged(exchange, "x"), null);
        }

        assertThat(numbers(log.search(entry -> true, 0, Long.MAX_VALUE, 10, 100)))
                .containsExactly(5L, 4L, 3L);
        assertThat(log.newest()).isEqualTo(5);
        assertThat(log.oldest()).isEqualTo(3);
        assertThat(requireNonNull(log.find(14)).number()).isEqualTo(4);
        assertThat(log.find(11)).isNull();
    }

    @Test
    void bytes_areBounded() {
        ExchangeLog log = new ExchangeLog(1_000, 10_000, PLENTY);
        for (int exchange = 1; exchange <= 100; exchange++) {
            log.add("debug", "GET /", judged(exchange, "x".repeat(1_000)), null);
        }

        assertThat(log.newest() - log.oldest()).isBetween(2L, 9L);
        assertThat(log.find(100)).isNotNull();
    }

    @Test
    void replies_goBeforeTheirExchanges() {
        ExchangeLog log = new ExchangeLog(100, PLENTY, 50_000);
        for (int exchange = 1; exchange <= 10; exchange++) {
            log.add("debug", "GET /", judged(exchange, "x"), replies(10_000));
        }

        assertThat(requireNonNull(log.find(1)).replies()).isNull();
        assertThat(requireNonNull(log.find(10)).replies()).isNotNull();
        long withReplies = log.search(entry -> entry.replies() != null, 0, Long.MAX_VALUE, 100, 100)
                .entries()
                .size();
        assertThat(withReplies).isEqualTo(2);
    }

    @Test
    void equalFailures_pushOutNoRepliesThatDiffer() {
        ExchangeLog log = new ExchangeLog(1_000, PLENTY, 100_000);
        log.add("debug", "GET /", judged(1, "x"), replies(10_000));
        Verdict same = new Verdict(VerdictKind.SAME, null, List.of());
        for (int exchange = 2; exchange <= 500; exchange++) {
            Judged failure = new Judged(exchange, "orders", 1, null, "GET /", same, null, 1.0, 2.0);
            log.add("debug", "GET /", failure, replies(10_000));
        }

        assertThat(requireNonNull(log.find(1)).replies()).isNotNull();
        long kept = log.search(entry -> entry.replies() != null, 1, Long.MAX_VALUE, 500, 500)
                .entries()
                .size();
        assertThat(kept).as("a quarter of the room").isEqualTo(1);
    }

    @Test
    void droppedExchange_holdsNoReplies() {
        ExchangeLog log = new ExchangeLog(2, PLENTY, PLENTY);
        log.add("debug", "GET /", judged(1, "x"), replies(10_000));
        ExchangeLog.Entry first = requireNonNull(log.find(1));
        assertThat(first.replies()).isNotNull();
        log.add("debug", "GET /", judged(2, "x"), null);
        log.add("debug", "GET /", judged(3, "x"), null);

        assertThat(first.replies()).isNull();
    }

    @Test
    void search_goesOnWhereItStopped() {
        ExchangeLog log = new ExchangeLog(2_000, PLENTY, PLENTY);
        for (int exchange = 1; exchange <= 1_500; exchange++) {
            log.add("debug", "GET /", judged(exchange, "x"), null);
        }

        ExchangeLog.Found first = log.search(entry -> entry.number() == 2, 0, Long.MAX_VALUE, 10, 1_000);
        assertThat(first.entries()).isEmpty();
        assertThat(first.next()).isEqualTo(501);
        ExchangeLog.Found second = log.search(entry -> entry.number() == 2, 0, first.next(), 10, 1_000);
        assertThat(numbers(second)).containsExactly(2L);
        assertThat(second.next()).isZero();
        ExchangeLog.Found page = log.search(entry -> true, 1_400, Long.MAX_VALUE, 30, 1_000);
        assertThat(numbers(page)).hasSize(30).startsWith(1_500L).endsWith(1_471L);
        assertThat(page.next()).isEqualTo(1_471);
        assertThat(log.search(entry -> true, 1_470, page.next(), 30, 1_000).entries())
                .isEmpty();
    }

    private static List<Long> numbers(ExchangeLog.Found found) {
        return found.entries().stream().map(ExchangeLog.Entry::number).toList();
    }

    private static Judged judged(long exchange, String value) {
        Difference difference = new Difference("body", Difference.Type.VALUE, value, "y", null);
        Verdict verdict = new Verdict(VerdictKind.DIFFERENT, null, List.of(difference));
        return new Judged(exchange, "orders", 1, null, "GET /", verdict, null, 1.0, 2.0);
    }

    private static ReplyPair replies(int bytes) {
        ReplyExcerpt reply = new ReplyExcerpt(200, "OK", List.of(new Header("A", "b")), new byte[bytes], bytes);
        return new ReplyPair(reply, reply, null);
    }
}
