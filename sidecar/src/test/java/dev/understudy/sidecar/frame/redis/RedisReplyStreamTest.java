package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Replies go to their commands in order, and pushes to none. */
final class RedisReplyStreamTest {
    private static final Request ASKED =
            new RedisRequest(new RedisCommand("GET", List.of()), true, Request.Part.ALONE, List.of());
    private static final TextSpan TIMES = new TextSpan(Instant.EPOCH, Instant.EPOCH);

    private final MemoryBudget budget = new MemoryBudget(1 << 20, null);
    private final ReplyMemory memory = new ReplyMemory(budget);
    private final Map<Integer, RedisReplyCopy> copies = new HashMap<>();
    private final List<Integer> ended = new ArrayList<>();
    private final List<String> unframed = new ArrayList<>();

    @Test
    void replies_arePairedInOrder_whateverTheChunks() {
        String wire =
                "+OK\r\n>2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n$3\r\nfoo\r\n|1\r\n+ttl\r\n:9\r\n*2\r\n:1\r\n%1\r\n+a\r\n_\r\n";
        for (long seed = 0; seed < 300; seed++) {
            RedisReplyStream<Integer> stream = stream(3);
            feed(stream, wire, new Random(seed));
            assertThat(ended).as("seed %d", seed).containsExactly(0, 1, 2);
            assertThat(reply(0)).isEqualTo("+OK\r\n");
            assertThat(reply(1)).isEqualTo("$3\r\nfoo\r\n");
            assertThat(reply(2)).isEqualTo("|1\r\n+ttl\r\n:9\r\n*2\r\n:1\r\n%1\r\n+a\r\n_\r\n");
            assertThat(unframed).isEmpty();
            copies.values().forEach(RedisReplyCopy::drop);
            assertThat(budget.used()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void largeReply_isKeptByLengthAndHash() {
        RedisReplyStream<Integer> stream = stream(1);
        feed(stream, "$3000000\r\n" + "x".repeat(3_000_000) + "\r\n", new Random(1));

        assertThat(ended).containsExactly(0);
        assertThat(budget.used()).isLessThan(200_000);
        assertThat(Objects.requireNonNull(copy(0).finish(TIMES)).length()).isEqualTo(3_000_012);
    }

    @Test
    void reply_toNoCommand_orNone_endsThePairing() {
        feed(stream(0), "-ERR max number of clients reached\r\n", new Random(1));
        assertThat(unframed).containsExactly("a reply to no command");

        feed(stream(1), "HTTP/1.1 200 OK\r\n", new Random(1));
        assertThat(unframed).hasSize(1);
        feed(stream(1), "|1\r\n+a\r\n:1\r\n>1\r\n:1\r\n", new Random(1));
        assertThat(unframed).containsExactly("a push with attributes");
    }

    private RedisReplyStream<Integer> stream(int commands) {
        copies.clear();
        ended.clear();
        unframed.clear();
        RedisReplyStream<Integer> stream = new RedisReplyStream<>(this::copy, new ReplyStream.End<>() {
            @Override
            public void ended(Integer exchange) {
                ended.add(exchange);
            }

            @Override
            public void unframed(String reason) {
                unframed.add(reason);
            }
        });
        for (int i = 0; i < commands; i++) {
            copies.put(i, new RedisReplyCopy(memory, 100_000));
            stream.expect(i, ASKED);
        }
        return stream;
    }

    private RedisReplyCopy copy(int exchange) {
        return Objects.requireNonNull(copies.get(exchange));
    }

    private String reply(int exchange) {
        return new String(Objects.requireNonNull(copy(exchange).finish(TIMES)).bytes(), StandardCharsets.ISO_8859_1);
    }

    private static void feed(RedisReplyStream<Integer> stream, String wire, Random random) {
        for (int at = 0; at < wire.length(); ) {
            int end = Math.min(wire.length(), at + 1 + random.nextInt(wire.length() > 1000 ? 20_000 : 7));
            stream.data(Unpooled.copiedBuffer(wire.substring(at, end), StandardCharsets.ISO_8859_1), 1);
            at = end;
        }
    }
}
