package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.List;

/** The exchanges of one HTTP/1.x connection. */
final class Http1Archive extends HttpDialogue<ArchivedExchange> {
    private final long connection;
    private final List<ArchivedExchange> archive;

    Http1Archive(long connection, List<ArchivedExchange> archive) {
        super(Integer.MAX_VALUE);
        this.connection = connection;
        this.archive = archive;
    }

    @Override
    protected ArchivedExchange begin(RequestHead head, int rawLength) {
        ArchivedExchange exchange = new ArchivedExchange(connection, head, now());
        exchange.requestHeadBytes = rawLength;
        archive.add(exchange);
        return exchange;
    }

    @Override
    protected void requestBody(ArchivedExchange exchange, ByteBuffer content, int rawLength) {
        exchange.requestBodyBytes += rawLength;
    }

    @Override
    protected void replyHead(ArchivedExchange exchange, ReplyHead head, int rawLength) {
        exchange.reply = head;
        exchange.replyHeadBytes = rawLength;
        exchange.endedNanos = now();
    }

    @Override
    protected void replyBody(ArchivedExchange exchange, ByteBuffer content, int rawLength) {
        exchange.replyBodyBytes += rawLength;
    }

    @Override
    protected void end(ArchivedExchange exchange) {
        exchange.endedNanos = now();
    }
}
