package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpReplyCaptureTest {
    private static final ReplyHead HEAD = new ReplyHead("HTTP/1.1", 200, "OK", List.of());

    @Test
    void body_isKeptUpToTheLimitAndHashedWhole() throws NoSuchAlgorithmException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] body = new byte[random.nextInt(5000)];
            random.nextBytes(body);
            int max = random.nextInt(6000);
            HttpReplyCapture capture = new HttpReplyCapture(max);
            capture.head(HEAD, 20);
            for (int at = 0; at < body.length; ) {
                int piece = Math.min(body.length - at, 1 + random.nextInt(700));
                capture.body(ByteBuffer.wrap(body, at, piece), piece);
                at += piece;
            }
            capture.end();
            HttpReply reply = capture.finish(Replies.NOON, Replies.LATER);

            assertThat(reply.body()).as("seed %d", seed).isEqualTo(Arrays.copyOf(body, Math.min(max, body.length)));
            assertThat(reply.bodyLength()).as("seed %d", seed).isEqualTo(body.length);
            assertThat(reply.sha256())
                    .as("seed %d", seed)
                    .isEqualTo(MessageDigest.getInstance("SHA-256").digest(body));
            assertThat(reply.complete()).isTrue();
            assertThat(capture.heldBytes()).isLessThanOrEqualTo(max + 400);
        }
    }

    @Test
    void replyWithoutItsEnd_isIncomplete() {
        HttpReplyCapture capture = new HttpReplyCapture(10);
        assertThatThrownBy(() -> capture.finish(Replies.NOON, Replies.LATER)).isInstanceOf(IllegalStateException.class);
        capture.head(HEAD, 20);
        assertThat(capture.begun()).isTrue();
        capture.body(ByteBuffer.wrap(new byte[3]), 3);
        capture.unframed("ended within a body", 0);
        assertThat(capture.ended()).isFalse();
        assertThat(capture.finish(Replies.NOON, Replies.LATER).complete()).isFalse();
    }

    @Test
    void bytesAfterTheEnd_leaveTheReplyComplete() {
        HttpReplyCapture capture = new HttpReplyCapture(10);
        capture.head(HEAD, 20);
        capture.end();
        capture.unframed("upgrade to websocket", 9);
        assertThat(capture.finish(Replies.NOON, Replies.LATER).complete()).isTrue();
    }

    @Test
    void moreInterimRepliesThanKept_makeItIncomplete() {
        HttpReplyCapture capture = new HttpReplyCapture(10);
        for (int i = 0; i < 9; i++) {
            capture.interim(new ReplyHead("HTTP/1.1", 103, "", List.of()), 20);
        }
        capture.head(HEAD, 20);
        capture.end();
        assertThat(capture.finish(Replies.NOON, Replies.LATER).complete()).isFalse();
    }
}
