package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.RedisReply;
import dev.understudy.aggregator.replay.Matches;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MatchesTest {
    private final TestJournal<RedisReply> test = new TestJournal<>(1_000);

    @Test
    void miss_namesWhatDiffersFromTheNearestForms() {
        record("GET order:12", 1);

        take("GET order:135");

        Matches.Matched miss = test.matches.latest(1).get(0);
        assertThat(miss.outcome()).isEqualTo(Matches.Outcome.MISSED);
        assertThat(miss.nearest()).containsExactly(new Matches.Near("GET order:12", "35", "2", List.of()));
    }

    @Test
    void onlyTheLatest_areKept() {
        record("GET a", 3_000);
        for (int i = 0; i < 3_000; i++) {
            take("GET a");
        }

        List<Matches.Matched> latest = test.matches.latest(10_000);
        assertThat(latest).hasSize(1_024);
        assertThat(latest.get(0).id()).isEqualTo(3_000);
        assertThat(test.matches.get(3_000)).isSameAs(latest.get(0));
        assertThat(test.matches.get(1_000)).isNull();
        assertThat(test.matches.get(0)).isNull();
        assertThat(test.matches.get(3_001)).isNull();
    }

    private void record(String form, int times) {
        for (int i = 0; i < times; i++) {
            test.journal.add(form(form), 1, i, i, new RedisReply("+OK\r\n".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private void take(String form) {
        test.replay().take(form(form), ImmediateEventExecutor.INSTANCE, match -> {});
    }

    private static Form form(String text) {
        return Form.of("GET", text);
    }
}
