package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.RedisReply;
import dev.understudy.aggregator.replay.CallTally;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
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
        assertThat(test.matches.kinds().most(10)).singleElement().satisfies(kind -> {
            assertThat(kind.count()).isEqualTo(3_000);
            assertThat(kind.examples()).extracting(Matches.Matched::id).containsExactly(3_000L, 2_999L, 2_998L);
        });
        assertThat(test.matches.get(3_001)).isNull();
    }

    @Test
    void missesOfALongRun_areCountedByFormAndReason() {
        record("SET once", 1);
        take("SET once");
        for (int i = 0; i < 5_000; i++) {
            take("GET order:" + i);
            take("GET cart:" + i + ":3fa85f64-5717-4562-b3fc-2c963f66afa6");
        }

        assertThat(test.misses.kinds().most(10)).hasSize(2).allSatisfy(kind -> {
            assertThat(kind.kind().form()).isIn("GET order:N", "GET cart:N:…-N-N-…-…");
            assertThat(kind.count()).isEqualTo(5_000);
            assertThat(kind.examples()).hasSize(3);
            assertThat(kind.examples().get(0).form()).contains("4999");
        });
        assertThat(test.matches.get(1)).as("the example of a kind stays").isNotNull();
    }

    @Test
    void kindsBeyondTheBound_areCountedTogether() {
        String letters = "abcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < 3_000; i++) {
            take("GET " + letters.charAt(i % 26) + letters.charAt(i / 26 % 26) + letters.charAt(i / 676));
        }

        List<CallTally.Counted<Misses.Missed>> kinds = test.misses.kinds().most(10_000);
        assertThat(kinds).hasSize(1_001);
        assertThat(kinds.get(0).kind().form()).isEqualTo("(other forms)");
        assertThat(kinds.get(0).count()).isEqualTo(2_000);
        assertThat(kinds.stream().mapToLong(CallTally.Counted::count).sum()).isEqualTo(3_000);
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
