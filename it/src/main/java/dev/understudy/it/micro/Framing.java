package dev.understudy.it.micro;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs a lane to cut HTTP/1.1: a browser's request, and a reply of 1 KiB that comes in one read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Framing {
    private static final String REQUEST = """
            GET /orders/4711?page=2 HTTP/1.1
            Host: shop.example
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
            Accept-Language: en-GB,en;q=0.5
            Cookie: session=0123456789abcdef0123456789abcdef

            """.replace("\n", "\r\n");
    private static final String REPLY = """
            HTTP/1.1 200 OK
            Server: nginx
            Date: Fri, 21 Nov 2025 06:00:00 GMT
            Content-Type: text/html; charset=utf-8
            Content-Length: 1024
            Connection: keep-alive

            """.replace("\n", "\r\n") + "x".repeat(1024);

    private final ByteBuffer request = direct(REQUEST);
    private final ByteBuffer reply = direct(REPLY);
    private final HttpRequestFramer requests = new HttpRequestFramer(new Refusing<>());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Refusing<>());

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** One request. */
    @Benchmark
    public int request() {
        request.rewind();
        requests.feed(request);
        return request.position();
    }

    /** One reply. */
    @Benchmark
    public int reply() {
        reply.rewind();
        replies.expect("GET");
        replies.feed(reply);
        return reply.position();
    }

    /** Fails rather than measure what isn't framed. */
    private static final class Refusing<H> implements HttpSink<H> {
        @Override
        public void head(H head, int rawLength) {}

        @Override
        public void body(ByteBuffer content, int rawLength) {}

        @Override
        public void end() {}

        @Override
        public void unframed(String reason, int rawLength) {
            throw new IllegalStateException("unframed: " + reason);
        }
    }
}
