package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HttpReplyCopyTest {
    private static final ReplyHead HEAD = new ReplyHead("HTTP/1.1", 200, "OK", List.of());

    private final MemoryBudget budget = new MemoryBudget(100_000, null);
    private final ReplyMemory memory = new ReplyMemory(budget);
    private final byte[] body = new byte[80_000];

    HttpReplyCopyTest() {
        new Random(1).nextBytes(body);
    }

    @Test
    void reply_thatFits_isKeptAndGivenBack() {
        HttpReplyCopy copy = fed(30_000);

        assertThat(copy.shortened()).isFalse();
        assertThat(finished(copy).body()).hasSize(30_000);
        assertThat(budget.used()).isGreaterThan(30_000);
        copy.drop();
        assertThat(budget.used()).isZero();
    }

    @Test
    void reply_thatFindsNoRoom_keepsLengthAndHash() {
        HttpReplyCopy copy = fed(80_000);

        assertThat(copy.shortened()).isTrue();
        assertThat(budget.used()).isLessThan(2_000);
        HttpReply reply = finished(copy);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.bodyLength()).isEqualTo(80_000);
        assertThat(reply.complete()).isTrue();

        HttpReplyCopy again = new HttpReplyCopy(new ReplyMemory(new MemoryBudget(1 << 20, null)), 0);
        feed(again, 80_000);
        assertThat(reply.sha256()).isEqualTo(finished(again).sha256());
        copy.drop();
        assertThat(budget.used()).isZero();
    }

    @Test
    void reply_withNoRoomAtAll_isNotKept() {
        MemoryBudget full = new MemoryBudget(100, null);
        HttpReplyCopy copy = new HttpReplyCopy(new ReplyMemory(full), 1000);
        feed(copy, 10);

        assertThat(copy.finish(new TextSpan(Instant.EPOCH, Instant.EPOCH))).isNull();
        assertThat(copy.complete()).isTrue();
        assertThat(full.used()).isZero();
    }

    @Test
    void howACallOfGrpcEnded_isHeardInTrailersAndHeads_alsoWhereNothingIsKept() {
        HttpReplyCopy trailers = new HttpReplyCopy(new ReplyMemory(new MemoryBudget(100, null)), 1000);
        feed(trailers, 10);
        assertThat(trailers.said()).isEmpty();
        trailers.trailers(List.of(new Header("grpc-status", "13")));
        assertThat(trailers.said()).isEqualTo("grpc 13");

        HttpReplyCopy only = new HttpReplyCopy(memory, 1000);
        only.head(HEAD.with("grpc-status", "5"), 100, 1);
        only.trailers(List.of(new Header("x-more", "1")));
        assertThat(only.said()).isEqualTo("grpc 5");
    }

    @Test
    void replies_leaveHalfOfTheLaneToTheInput() {
        fed(30_000);
        HttpReplyCopy second = fed(30_000);

        assertThat(second.shortened()).isTrue();
        assertThat(budget.used()).isLessThan(50_000);
    }

    private HttpReplyCopy fed(int length) {
        HttpReplyCopy copy = new HttpReplyCopy(memory, 1 << 20);
        feed(copy, length);
        return copy;
    }

    private void feed(HttpReplyCopy copy, int length) {
        copy.head(HEAD, 100, 1);
        for (int at = 0; at < length; at += 1000) {
            int part = Math.min(1000, length - at);
            copy.body(ByteBuffer.wrap(body, at, part), part);
        }
        copy.end(2);
    }

    private static HttpReply finished(HttpReplyCopy copy) {
        HttpReply reply = copy.finish(new TextSpan(Instant.EPOCH, Instant.EPOCH));
        if (reply == null) {
            throw new AssertionError("nothing kept");
        }
        return reply;
    }
}
