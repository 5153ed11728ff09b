package dev.understudy.observatory.event;

import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.record.HttpDialogue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** The exchanges of one HTTP/1 connection, with their times in microseconds. */
final class HttpExchanges extends HttpDialogue<HttpExchanges.Pending> {
    /** Requests that may wait for their replies on one connection. */
    static final int MOST_PIPELINED = 10_000;

    private final ConnectionExchanges connection;
    private final Deque<Pending> complete = new ArrayDeque<>();
    private boolean begun;
    /** Bytes of a request's head that isn't whole. */
    private long outstanding;

    private boolean inRequest;
    private long begunAt;

    static final class Pending {
        final String method;
        final String target;
        final long start;
        long end;
        long requestBytes;
        long replyBytes;
        int status;

        Pending(RequestHead head, long start, long bytes) {
            method = head.method();
            target = head.target();
            this.start = start;
            requestBytes = bytes;
        }
    }

    HttpExchanges(ConnectionExchanges connection) {
        super(MOST_PIPELINED);
        this.connection = connection;
    }

    /** Whether a request's head was read. */
    boolean begun() {
        return begun;
    }

    @Override
    public void request(ByteBuffer bytes, long micros) {
        if (outstanding == 0 && !inRequest) {
            begunAt = micros;
        }
        outstanding += bytes.remaining();
        super.request(bytes, micros);
    }

    /** Passes on what became whole. */
    void pass() throws IOException {
        for (Pending whole = complete.poll(); whole != null; whole = complete.poll()) {
            connection.pass(
                    Folding.route(whole.method + " " + whole.target),
                    whole.start,
                    whole.end,
                    whole.requestBytes,
                    whole.replyBytes,
                    whole.status,
                    true);
        }
    }

    @Override
    protected Pending begin(RequestHead head, int rawLength) {
        begun = true;
        inRequest = true;
        outstanding -= rawLength;
        return new Pending(head, begunAt, rawLength);
    }

    @Override
    protected void requestBody(Pending pending, ByteBuffer content, int rawLength) {
        outstanding -= rawLength;
        pending.requestBytes += rawLength;
    }

    @Override
    protected void requestEnd(Pending pending) {
        inRequest = false;
        begunAt = now();
    }

    @Override
    protected void replyHead(Pending pending, ReplyHead head, int rawLength) {
        pending.status = head.status();
        pending.replyBytes += rawLength;
    }

    @Override
    protected void replyBody(Pending pending, ByteBuffer content, int rawLength) {
        pending.replyBytes += rawLength;
    }

    @Override
    protected void end(Pending pending) {
        pending.end = now();
        complete.add(pending);
    }
}
