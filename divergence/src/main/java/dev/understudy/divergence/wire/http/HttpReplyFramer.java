package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Cuts the bytes that a server sends into HTTP/1.x replies. Confined to one thread.
 *
 * <p>Whether a reply has a body depends on its request: {@link #expect} tells. A reply that no request was
 * announced for is framed as one to GET.
 */
public final class HttpReplyFramer {
    private final Queue<String> expected = new ArrayDeque<>();
    private final MessageFramer<ReplyHead> framer;

    public HttpReplyFramer(HttpSink<ReplyHead> sink) {
        this(sink, HttpRequestFramer.MAX_HEAD);
    }

    /** @param maxHead the longest head that is framed, in bytes */
    public HttpReplyFramer(HttpSink<ReplyHead> sink, int maxHead) {
        framer = new MessageFramer<>(sink, new Rules(sink, expected), new HeaderSection(true), maxHead);
    }

    /** Queues the method of the next request; call it when the request's head has been seen. */
    public void expect(String method) {
        expected.add(method);
    }

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer bytes) {
        framer.feed(bytes);
    }

    /** Memory that the head takes, or the trailers, that aren't complete. */
    public long heldBytes() {
        return framer.heldBytes();
    }

    /**
     * The server has ended its direction in order, which completes a body that lasts until then; any other
     * message that isn't complete becomes unframed. Don't call it after a reset.
     */
    public void end() {
        framer.end();
    }

    static void checkVersion(String version) throws Unframable {
        if (version.length() != 8
                || !version.startsWith("HTTP/1.")
                || version.charAt(7) < '0'
                || version.charAt(7) > '9') {
            throw new Unframable("not HTTP/1.x");
        }
    }

    private static final class Rules implements MessageFramer.Rules<ReplyHead> {
        private final HttpSink<ReplyHead> sink;
        private final Queue<String> expected;
        private String version = "";
        private int status;
        private String reason = "";

        Rules(HttpSink<ReplyHead> sink, Queue<String> expected) {
            this.sink = sink;
            this.expected = expected;
        }

        @Override
        public void firstByte(byte first) throws Unframable {
            if (first != 'H') {
                throw new Unframable("not HTTP");
            }
        }

        @Override
        public boolean startLine(String line) throws Unframable {
            if (line.length() < 12 || line.charAt(8) != ' ' || (line.length() > 12 && line.charAt(12) != ' ')) {
                throw new Unframable("malformed status line");
            }
            version = line.substring(0, 8);
            checkVersion(version);
            status = 0;
            for (int i = 9; i < 12; i++) {
                int digit = line.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    throw new Unframable("malformed status line");
                }
                status = 10 * status + digit;
            }
            if (status < 100) {
                throw new Unframable("malformed status line");
            }
            reason = line.length() > 13 ? line.substring(13) : "";
            return true;
        }

        @Override
        public ReplyHead head(HeaderSection section) {
            return new ReplyHead(version, status, reason, section.take());
        }

        @Override
        public BodyFraming framing(ReplyHead head) throws Unframable {
            if (head.status() < 200 && head.status() != 101) {
                return BodyFraming.INTERIM;
            }
            String method = expected.poll();
            if (head.status() == 101) {
                String protocol = head.first("Upgrade");
                return BodyFraming.leaving("upgrade to " + (protocol == null ? "another protocol" : protocol));
            }
            if ("CONNECT".equals(method) && head.status() < 300) {
                return BodyFraming.leaving("tunnel");
            }
            if ("HEAD".equals(method) || head.status() == 204 || head.status() == 304) {
                return BodyFraming.NONE;
            }
            return BodyFraming.ofReply(head);
        }

        @Override
        public void interim(ReplyHead head, int rawLength) {
            sink.interim(head, rawLength);
        }
    }
}
