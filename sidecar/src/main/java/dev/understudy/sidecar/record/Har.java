package dev.understudy.sidecar.record;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A recording's HTTP exchanges as an HTTP Archive (HAR 1.2): heads with credentials masked, sizes and times; no bodies, in
 * which nothing could be masked for sure. Confined to its caller.
 */
public final class Har {
    private final Contents contents;
    private final Masking masking;
    private final List<Exchange> exchanges = new ArrayList<>();

    private Har(Contents contents, Masking masking) {
        this.contents = contents;
        this.masking = masking;
    }

    /**
     * The archive's document.
     *
     * @param wanted which connections go into it
     * @throws IOException if the recording can't be read any more
     */
    public static Map<String, Object> read(
            Path file, Contents contents, Predicate<Contents.Summary> wanted, Masking masking) throws IOException {
        Har har = new Har(contents, masking);
        try (RecordingReader recording = RecordingReader.open(file)) {
            for (Contents.Summary summary : contents.connections()) {
                if (wanted.test(summary)) {
                    har.read(recording, summary);
                }
            }
        }
        har.exchanges.sort((a, b) -> Long.signum(a.begunNanos - b.begunNanos));
        Map<String, String> creator = Map.of("name", "understudy", "version", "1");
        List<Map<String, Object>> entries =
                har.exchanges.stream().map(har::entry).toList();
        return Map.of("log", Map.of("version", "1.2", "creator", creator, "entries", entries));
    }

    private void read(RecordingReader recording, Contents.Summary summary) throws IOException {
        Dialogue dialogue = new Dialogue(summary.id());
        for (long position : summary.blocks()) {
            BlockReader block = recording.blockAt(position);
            for (; block.hasRecord(); block.skip()) {
                dialogue.read(block);
            }
            block.release();
        }
    }

    private Map<String, Object> entry(Exchange exchange) {
        double millis = Math.max(0, exchange.endedNanos - exchange.begunNanos) / 1e6;
        String host = exchange.request.first("host");
        String url = "http://" + (host == null ? "unknown" : host) + masking.target(exchange.request.target());
        Map<String, Object> request = Map.of(
                "method", exchange.request.method(),
                "url", url,
                "httpVersion", exchange.request.version(),
                "cookies", List.of(),
                "headers", headers(exchange.request.headers()),
                "queryString", List.of(),
                "headersSize", exchange.requestHeadBytes,
                "bodySize", exchange.requestBodyBytes);
        return Map.of(
                "startedDateTime", at(exchange.begunNanos),
                "time", millis,
                "connection", String.valueOf(exchange.connection),
                "request", request,
                "response", response(exchange),
                "cache", Map.of(),
                "timings", Map.of("send", 0, "wait", millis, "receive", 0));
    }

    private Map<String, Object> response(Exchange exchange) {
        ReplyHead reply = exchange.reply;
        String type = reply == null ? null : reply.first("content-type");
        return Map.of(
                "status",
                reply == null ? 0 : reply.status(),
                "statusText",
                reply == null ? "" : reply.reason(),
                "httpVersion",
                reply == null ? "" : reply.version(),
                "cookies",
                List.of(),
                "headers",
                reply == null ? List.of() : headers(reply.headers()),
                "content",
                Map.of("size", exchange.replyBodyBytes, "mimeType", type == null ? "" : type),
                "redirectURL",
                "",
                "headersSize",
                exchange.replyHeadBytes,
                "bodySize",
                exchange.replyBodyBytes);
    }

    private List<Map<String, String>> headers(List<Header> headers) {
        return headers.stream()
                .map(header -> Map.of("name", header.name(), "value", masking.header(header.name(), header.value())))
                .toList();
    }

    private String at(long nanos) {
        return Instant.ofEpochMilli(contents.begunMillis())
                .plusNanos(nanos - contents.begunNanos())
                .toString();
    }

    private static final class Exchange {
        private final long connection;
        private final RequestHead request;
        private final long begunNanos;
        private long endedNanos;
        private long requestHeadBytes;
        private long requestBodyBytes;
        private @Nullable ReplyHead reply;
        private long replyHeadBytes;
        private long replyBodyBytes;

        Exchange(long connection, RequestHead request, long begunNanos) {
            this.connection = connection;
            this.request = request;
            this.begunNanos = begunNanos;
            this.endedNanos = begunNanos;
        }
    }

    /** One connection's two directions. */
    private final class Dialogue {
        private final long connection;
        private final Deque<Exchange> expected = new ArrayDeque<>();
        private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
        private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
        private @Nullable Exchange asking;
        private long nanos;

        Dialogue(long connection) {
            this.connection = connection;
        }

        void read(BlockReader block) {
            nanos = block.nanos();
            ByteBuf data = block.data();
            switch (block.event()) {
                case REQUEST -> requests.feed(data.nioBuffer());
                case REPLY -> replies.feed(data.nioBuffer());
                case REPLY_END -> replies.end();
                case OPENED, PREFACE, CONNECTED, REQUEST_END, CLOSED, LOST -> {}
            }
            data.release();
        }

        private final class Requests implements HttpSink<RequestHead> {
            @Override
            public void head(RequestHead head, int rawLength) {
                Exchange exchange = new Exchange(connection, head, nanos);
                exchange.requestHeadBytes = rawLength;
                asking = exchange;
                exchanges.add(exchange);
                expected.add(exchange);
                replies.expect(head.method());
            }

            @Override
            public void body(ByteBuffer content, int rawLength) {
                if (asking != null) {
                    asking.requestBodyBytes += rawLength;
                }
            }

            @Override
            public void end() {
                asking = null;
            }

            @Override
            public void unframed(String reason, int rawLength) {}
        }

        private final class Replies implements HttpSink<ReplyHead> {
            @Override
            public void head(ReplyHead head, int rawLength) {
                Exchange exchange = expected.peek();
                if (exchange != null) {
                    exchange.reply = head;
                    exchange.replyHeadBytes = rawLength;
                    exchange.endedNanos = nanos;
                }
            }

            @Override
            public void body(ByteBuffer content, int rawLength) {
                Exchange exchange = expected.peek();
                if (exchange != null) {
                    exchange.replyBodyBytes += rawLength;
                }
            }

            @Override
            public void end() {
                Exchange exchange = expected.poll();
                if (exchange != null) {
                    exchange.endedNanos = nanos;
                }
            }

            @Override
            public void unframed(String reason, int rawLength) {}
        }
    }
}
