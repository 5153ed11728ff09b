package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.sql.SqlComparison;
import dev.understudy.divergence.compare.sql.SqlReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.postgres.PgRequest.Kind;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Replies go to their requests in order, and what a server says unasked to none. */
final class PgReplyStreamTest {
    private static final int REQUESTS = 7;
    private static final TextSpan TIMES = new TextSpan(Instant.EPOCH, Instant.EPOCH);

    private static final byte[] SAID = new Wire()
            .raw((byte) 'N')
            .authentication(3)
            .authentication(0)
            .text('S', "TimeZone", "UTC")
            .message('K', new PgWriter().int32(17).int32(4711))
            .ready()
            .columns("id", "name")
            .row("1", "Ada")
            .row("2", "Eve")
            .text('C', "SELECT 2")
            .text('C', "UPDATE 1")
            .ready()
            .text('A', "news")
            .message('1', new PgWriter())
            .message('2', new PgWriter())
            .columns("id")
            .row("7")
            .text('C', "SELECT 1")
            .error("23505", "double")
            .ready()
            .message('G', new PgWriter().int8(0).int16(0))
            .text('C', "COPY 2")
            .ready()
            .bytes();

    private final MemoryBudget budget = new MemoryBudget(1 << 22, null);
    private final ReplyMemory memory = new ReplyMemory(budget);
    private final Map<Integer, PgReplyCopy> copies = new HashMap<>();
    private final List<Integer> ended = new ArrayList<>();
    private final List<String> unframed = new ArrayList<>();

    @Test
    void replies_arePairedInOrder_whateverTheChunks() {
        for (long seed = 0; seed < 300; seed++) {
            PgReplyStream<Integer> stream = conversation();
            feed(stream, SAID, new Random(seed));
            assertThat(ended).as("seed %d", seed).containsExactly(0, 1, 2, 3, 4, 5, 6);
            assertThat(unframed).as("seed %d", seed).isEmpty();
            assertThat(copy(3).said()).isEqualTo("SELECT 2");
            assertThat(copy(4).said()).isEqualTo("ERROR 23505");
            assertThat(copy(6).said()).isEqualTo("COPY 2");
            drop();
            assertThat(budget.used()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void whateverAServerSays_isTaken() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] mutated = SAID.clone();
            for (int i = 0; i < 1 + random.nextInt(5); i++) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            heard(mutated, random);
            assertThat(unframed).as("seed %d", seed).hasSizeLessThan(2);
            drop();
            assertThat(budget.used()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void anotherValue_tag_orError_isNeverTheSame() {
        SqlComparison comparison = new SqlComparison(ComparisonRules.defaults(), new IdentityMap(100));
        String said = new String(SAID, StandardCharsets.ISO_8859_1);
        List<String> told =
                List.of("Ada", "Eve", "SELECT 2", "UPDATE 1", "SELECT 1", "23505", "double", "COPY 2", "UTC");
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            Map<Integer, PgReplyCopy> right = heard(SAID, random);
            String one = told.get(random.nextInt(told.size()));
            byte[] mutated = SAID.clone();
            mutated[said.indexOf(one) + random.nextInt(one.length())] ^= (byte) (1 + random.nextInt(31));
            Map<Integer, PgReplyCopy> wrong = heard(mutated, random);
            boolean same = true;
            for (int i = 0; i < REQUESTS && same; i++) {
                SqlReply ours = Objects.requireNonNull(right.get(i)).finish(TIMES);
                SqlReply theirs = Objects.requireNonNull(wrong.get(i)).finish(TIMES);
                same = ours != null
                        && theirs != null
                        && comparison.compare(ours, theirs).kind() == Verdict.SAME.kind();
            }
            assertThat(same).as("seed %d, %s", seed, one).isFalse();
            right.values().forEach(PgReplyCopy::drop);
            wrong.values().forEach(PgReplyCopy::drop);
        }
    }

    @Test
    void aRowThatIsTooLong_isKeptByItsHash() {
        PgReplyStream<Integer> stream = open();
        stream.expect(0, query("SELECT a"));
        String value = "x".repeat(3_000_000);
        feed(
                stream,
                new Wire().columns("a").row(value).text('C', "SELECT 1").ready().bytes(),
                new Random(1));
        assertThat(ended).containsExactly(0);
        assertThat(budget.used()).isLessThan(10_000);
        assertThat(copy(0).finish(TIMES)).isNotNull();
    }

    @Test
    void dataForACopyThatFailed_hasNoAnswerOfItsOwn() {
        PgReplyStream<Integer> stream = open();
        stream.expect(0, query("COPY t FROM STDIN"));
        feed(stream, new Wire().error("42P01", "no such table").ready().bytes(), new Random(1));
        stream.expect(1, new PgRequest(Kind.COPY_DATA));
        stream.expect(2, query("SELECT 1"));
        feed(
                stream,
                new Wire().columns("a").row("1").text('C', "SELECT 1").ready().bytes(),
                new Random(1));
        assertThat(ended).containsExactly(0, 1, 2);
        assertThat(unframed).isEmpty();
    }

    @Test
    void aProofThatAServerDidntAskFor_isKeptBack() {
        PgReplyStream<Integer> stream = open();
        PgRequest password = new PgRequest(Kind.PASSWORD);
        stream.expect(0, password);
        assertThat(password.untold()).isTrue();
        assertThat(ended).containsExactly(0);
    }

    private Map<Integer, PgReplyCopy> heard(byte[] wire, Random random) {
        PgReplyStream<Integer> stream = conversation();
        feed(stream, wire, random);
        stream.end(1);
        Map<Integer, PgReplyCopy> heard = new HashMap<>();
        for (int i = 0; i < REQUESTS; i++) {
            heard.put(i, copy(i));
        }
        return heard;
    }

    private PgReplyStream<Integer> conversation() {
        PgReplyStream<Integer> stream = stream();
        PgRequest batch = new PgRequest(Kind.BATCH);
        PgStatement statement = PgStatement.of("SELECT id FROM t");
        batch.add(new PgRequest.Step(false, statement, Formats.TEXT));
        batch.add(new PgRequest.Step(true, statement, Formats.TEXT));
        List<PgRequest> requests = List.of(
                new PgRequest(Kind.ENCRYPTION),
                new PgRequest(Kind.STARTUP),
                new PgRequest(Kind.PASSWORD),
                query("SELECT id, name FROM t", "UPDATE t SET a = 1"),
                batch,
                query("COPY t FROM STDIN"),
                new PgRequest(Kind.COPY_DATA));
        for (int i = 0; i < requests.size(); i++) {
            requests.get(i).end();
            stream.expect(i, requests.get(i));
        }
        return stream;
    }

    /** One whose client has been let in. */
    private PgReplyStream<Integer> open() {
        PgReplyStream<Integer> stream = stream();
        stream.expect(-1, new PgRequest(Kind.STARTUP));
        feed(stream, new Wire().authentication(0).ready().bytes(), new Random(1));
        copies.values().forEach(PgReplyCopy::drop);
        copies.clear();
        ended.clear();
        return stream;
    }

    private PgReplyStream<Integer> stream() {
        copies.clear();
        ended.clear();
        unframed.clear();
        return new PgReplyStream<>(this::copy, new ReplyStream.End<>() {
            @Override
            public void ended(Integer exchange) {
                ended.add(exchange);
            }

            @Override
            public void unframed(String reason) {
                unframed.add(reason);
            }
        });
    }

    private static PgRequest query(String... statements) {
        PgRequest query = new PgRequest(Kind.QUERY);
        for (String statement : statements) {
            query.add(new PgRequest.Step(true, PgStatement.of(statement), Formats.TEXT));
        }
        query.end();
        return query;
    }

    private PgReplyCopy copy(int exchange) {
        return copies.computeIfAbsent(exchange, unseen -> new PgReplyCopy(memory, 1 << 20));
    }

    private void drop() {
        copies.values().forEach(PgReplyCopy::drop);
        copies.clear();
    }

    private static void feed(PgReplyStream<Integer> stream, byte[] wire, Random random) {
        int at = 0;
        while (at < wire.length) {
            int next = Math.min(wire.length, at + 1 + random.nextInt(wire.length > 100_000 ? 60_000 : 50));
            stream.data(Unpooled.wrappedBuffer(Arrays.copyOfRange(wire, at, next)), at);
            at = next;
        }
    }
}
