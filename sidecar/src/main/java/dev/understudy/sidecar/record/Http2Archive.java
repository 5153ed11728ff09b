package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.Http2Preface;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.http2.Http2Reader;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one HTTP/2 connection, one for each stream; how long a compressed head was means nothing, and isn't
 * said.
 */
final class Http2Archive implements RecordedDialogue {
    /** What browsers allow at most for the table of headers. */
    private static final int TABLE = 64 << 10;

    private final long connection;
    private final List<ArchivedExchange> archive;
    private final Map<Integer, ArchivedExchange> open = new HashMap<>();
    private final Http2Preface preface = new Http2Preface();
    private final Http2Reader requests = new Http2Reader(new Requests());
    private final Http2Reader replies = new Http2Reader(new Replies());
    private int lastOpened;
    private long now;

    Http2Archive(long connection, List<ArchivedExchange> archive) {
        this.connection = connection;
        this.archive = archive;
        requests.allow(TABLE);
        replies.allow(TABLE);
    }

    @Override
    public void request(ByteBuffer bytes, long nanos) {
        now = nanos;
        preface.look(bytes);
        requests.feed(bytes);
    }

    @Override
    public void reply(ByteBuffer bytes, long nanos) {
        now = nanos;
        replies.feed(bytes);
    }

    @Override
    public void replyEnd(long nanos) {}

    private final class Requests implements Http2Reader.Sink {
        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
            RequestHead head = headers == null || stream <= lastOpened ? null : Http2Heads.request(headers);
            lastOpened = Math.max(lastOpened, stream);
            if (head != null) {
                ArchivedExchange exchange = new ArchivedExchange(connection, head, now);
                archive.add(exchange);
                open.put(stream, exchange);
            }
        }

        @Override
        public void data(int stream, ByteBuffer content, boolean last) {
            ArchivedExchange exchange = open.get(stream);
            if (exchange != null) {
                exchange.requestBodyBytes += content.remaining();
            }
        }

        @Override
        public void reset(int stream, long code) {
            open.remove(stream);
        }

        @Override
        public void promised() {}

        @Override
        public void malformed(String why) {}
    }

    private final class Replies implements Http2Reader.Sink {
        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
            ReplyHead head = headers == null ? null : Http2Heads.reply(headers);
            ArchivedExchange exchange = open.get(stream);
            if (exchange != null && head != null && head.status() >= 200) {
                exchange.reply = head;
            }
            heard(stream, last);
        }

        @Override
        public void data(int stream, ByteBuffer content, boolean last) {
            ArchivedExchange exchange = open.get(stream);
            if (exchange != null) {
                exchange.replyBodyBytes += content.remaining();
            }
            heard(stream, last);
        }

        @Override
        public void reset(int stream, long code) {
            heard(stream, true);
        }

        private void heard(int stream, boolean last) {
            ArchivedExchange exchange = last ? open.remove(stream) : open.get(stream);
            if (exchange != null) {
                exchange.endedNanos = now;
            }
        }

        @Override
        public void promised() {}

        @Override
        public void malformed(String why) {}
    }
}
