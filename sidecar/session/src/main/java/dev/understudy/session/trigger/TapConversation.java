package dev.understudy.session.trigger;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.record.HttpDialogue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** The HTTP/1 exchanges of one recorded connection, each with its beginning; nothing of other protocols. */
final class TapConversation extends HttpDialogue<Long> {
    /** Of a body that texts are looked for in. */
    static final int MOST_BODY = 16 << 10;

    private static final int MOST_OPEN = 1_000;

    private final List<String> texts;
    private final boolean readsBodies;
    private final Consumer<TapExchange> sink;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    /** @param texts what is looked for; "" for rules that look for none */
    TapConversation(List<String> texts, Consumer<TapExchange> sink) {
        super(MOST_OPEN);
        this.texts = texts;
        this.readsBodies = texts.stream().anyMatch(text -> !text.isEmpty());
        this.sink = sink;
    }

    @Override
    protected Long begin(RequestHead head, int rawLength) {
        return now();
    }

    @Override
    protected void replyHead(Long begun, ReplyHead head, int rawLength) {
        status = head.status();
        body.reset();
    }

    @Override
    protected void replyBody(Long begun, ByteBuffer content, int rawLength) {
        int piece = readsBodies ? Math.min(content.remaining(), MOST_BODY - body.size()) : 0;
        for (int n = 0; n < piece; n++) {
            body.write(content.get(content.position() + n));
        }
    }

    @Override
    protected void end(Long begun) {
        sink.accept(new TapExchange(now(), status, now() - begun, found()));
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
