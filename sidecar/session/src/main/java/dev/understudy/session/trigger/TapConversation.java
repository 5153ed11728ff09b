package dev.understudy.session.trigger;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The HTTP/1 exchanges of one recorded connection; nothing of other protocols. Confined to one thread. */
final class TapConversation {
    /** Of a body that texts are looked for in. */
    static final int MOST_BODY = 16 << 10;

    private static final int MOST_OPEN = 1_000;

    private final List<String> texts;
    private final boolean readsBodies;
    private final Consumer<TapExchange> sink;
    private final Deque<Long> begun = new ArrayDeque<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private long now;
    private int status;

    /** @param texts what is looked for; "" for rules that look for none */
    TapConversation(List<String> texts, Consumer<TapExchange> sink) {
        this.texts = texts;
        this.readsBodies = texts.stream().anyMatch(text -> !text.isEmpty());
        this.sink = sink;
    }

    void request(ByteBuffer bytes, long nanos) {
        now = nanos;
        requests.feed(bytes);
    }

    void reply(ByteBuffer bytes, long nanos) {
        now = nanos;
        replies.feed(bytes);
    }

    void replyEnd(long nanos) {
        now = nanos;
        replies.end();
    }

    private final class Requests implements HttpSink<RequestHead> {
        @Override
        public void head(RequestHead head, int rawLength) {
            if (begun.size() < MOST_OPEN) {
                begun.add(now);
            }
            replies.expect(head.method());
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {}

        @Override
        public void end() {}

        @Override
        public void unframed(String reason, int rawLength) {}
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            status = head.status();
            body.reset();
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            int piece = readsBodies ? Math.min(content.remaining(), MOST_BODY - body.size()) : 0;
            for (int n = 0; n < piece; n++) {
                body.write(content.get(content.position() + n));
            }
        }

        @Override
        public void end() {
            Long first = begun.poll();
            if (first != null) {
                sink.accept(new TapExchange(now, status, now - first, found()));
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {}
    }

    private long found() {
        long found = 0;
        String said = "";
        for (int n = 0; n < texts.size(); n++) {
            if (!texts.get(n).isEmpty()) {
                said = said.isEmpty() ? body.toString(StandardCharsets.UTF_8) : said;
                found |= said.contains(texts.get(n)) ? 1L << n : 0;
            }
        }
        return found;
    }
}
