package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HttpDialogueTest {
    private static final String GET = "GET /%s HTTP/1.1\r\n\r\n";

    private final List<String> whole = new ArrayList<>();
    private final HttpDialogue<StringBuilder> dialogue = new Lines();

    /** An exchange as its target, its bodies' bytes, its status, and when it was whole. */
    private final class Lines extends HttpDialogue<StringBuilder> {
        Lines() {
            super(3);
        }

        @Override
        protected StringBuilder begin(RequestHead head, int rawLength) {
            return new StringBuilder(head.target());
        }

        @Override
        protected void requestBody(StringBuilder exchange, ByteBuffer content, int rawLength) {
            exchange.append(" >").append(content.remaining());
        }

        @Override
        protected void requestEnd(StringBuilder exchange) {
            exchange.append(" asked@").append(now());
        }

        @Override
        protected void replyHead(StringBuilder exchange, ReplyHead head, int rawLength) {
            exchange.append(' ').append(head.status());
        }

        @Override
        protected void replyBody(StringBuilder exchange, ByteBuffer content, int rawLength) {
            exchange.append(" <").append(content.remaining());
        }

        @Override
        protected void end(StringBuilder exchange) {
            whole.add(exchange + " @" + now());
        }
    }

    private void request(String bytes, long nanos) {
        dialogue.request(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII)), nanos);
    }

    private void reply(String bytes, long nanos) {
        dialogue.reply(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII)), nanos);
    }

    @Test
    void pipelinedRequests_haveTheirRepliesInOrder() {
        request(GET.formatted("a") + "POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nxy", 1);
        reply("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\n\r\n", 2);
        reply("HTTP/1.1 200 OK\r\n\r\nall", 3);
        assertThat(whole).containsExactly("/a asked@1 204 @2");
        assertThat(dialogue.unanswered()).hasSize(1);
        dialogue.replyEnd(4);
        assertThat(whole).containsExactly("/a asked@1 204 @2", "/b >2 asked@1 200 <3 @4");
        assertThat(dialogue.gaveUp()).isFalse();
    }

    @Test
    void replyBeforeItsRequestIsWhole_isItsOwn() {
        request("POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nx", 1);
        reply("HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n", 2);
        request("y" + GET.formatted("b"), 3);
        assertThat(whole).containsExactly("/a >1 413 @2");
        assertThat(dialogue.unanswered()).map(StringBuilder::toString).containsExactly("/b asked@3");
    }

    @Test
    void dialogueOfTooManyRequests_orOfNone_isGivenUp() {
        request(GET.formatted("a").repeat(3), 1);
        assertThat(dialogue.gaveUp()).isFalse();
        request(GET.formatted("a"), 1);
        assertThat(dialogue.gaveUp()).isTrue();
        assertThat(dialogue.unanswered()).hasSize(3);

        HttpDialogue<StringBuilder> other = new Lines();
        other.request(ByteBuffer.wrap(new byte[] {0}), 1);
        assertThat(other.gaveUp()).isTrue();
    }

    @Test
    void dialogueThatIsGivenUp_pairsWhatItHasAndNothingElse() {
        request(GET.formatted("a") + GET.formatted("b") + GET.formatted("c") + "HEAD /d HTTP/1.1\r\n\r\n", 1);
        reply("HTTP/1.1 201 A\r\nContent-Length: 0\r\n\r\n", 2);
        request(GET.formatted("e"), 3);
        reply("HTTP/1.1 202 B\r\nContent-Length: 1\r\n\r\nb", 4);
        reply("HTTP/1.1 203 C\r\nContent-Length: 0\r\n\r\n", 5);
        reply("HTTP/1.1 204 D\r\n\r\nHTTP/1.1 205 E\r\nContent-Length: 0\r\n\r\n", 6);
        dialogue.replyEnd(7);

        assertThat(whole).containsExactly("/a asked@1 201 @2", "/b asked@1 202 <1 @4", "/c asked@1 203 @5");
        assertThat(dialogue.gaveUp()).isTrue();
        assertThat(dialogue.unanswered()).isEmpty();
    }

    @Test
    void replyToNoRequest_isPassedOver() {
        reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 1);
        request(GET.formatted("a"), 2);
        assertThat(whole).isEmpty();
        assertThat(dialogue.unanswered()).hasSize(1);
    }
}
