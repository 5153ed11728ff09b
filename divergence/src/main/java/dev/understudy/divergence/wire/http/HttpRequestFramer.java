package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;

/**
 * Cuts the bytes that a client sends into HTTP/1.x requests, pipelined or not. Confined to one thread.
 *
 * <p>What servers may read in more than one way (both lengths, several lengths, blanks before a colon) is
 * unframed rather than guessed. After a CONNECT everything is unframed; after a request to upgrade the
 * framer goes on, since servers may decline, until {@link #leave} is called.
 */
public final class HttpRequestFramer {
    /** The default limit for a request line with its headers, in bytes. */
    public static final int MAX_HEAD = 64 * 1024;

    private final MessageFramer<RequestHead> framer;

    public HttpRequestFramer(HttpSink<RequestHead> sink) {
        this(sink, MAX_HEAD);
    }

    /** @param maxHead the longest head that is framed, in bytes */
    public HttpRequestFramer(HttpSink<RequestHead> sink, int maxHead) {
        framer = new MessageFramer<>(sink, new Rules(), new HeaderSection(false), maxHead);
    }

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer bytes) {
        framer.feed(bytes);
    }

    /** Memory that the head takes, or the trailers, that aren't complete. */
    public long heldBytes() {
        return framer.heldBytes();
    }

    /** The connection has left HTTP (the reply was a 101, say): what follows is unframed for that reason. */
    public void leave(String reason) {
        framer.leave(reason);
    }

    /** The client has ended its direction in order; a message that isn't complete becomes unframed. */
    public void end() {
        framer.end();
    }

    private static final class Rules implements MessageFramer.Rules<RequestHead> {
        private String method = "";
        private String target = "";
        private String version = "";

        @Override
        public void firstByte(byte first) throws Unframable {
            if (first != '\r' && first != '\n' && !HeaderSection.isToken(first)) {
                throw new Unframable("not HTTP");
            }
        }

        @Override
        public boolean startLine(String line) throws Unframable {
            if (line.isEmpty()) {
                return false; // RFC 9112, section 2.2: empty lines before a request are ignored
            }
            int first = line.indexOf(' ');
            int last = line.lastIndexOf(' ');
            if (first <= 0 || last <= first + 1) {
                throw new Unframable("malformed request line");
            }
            method = line.substring(0, first);
            target = line.substring(first + 1, last);
            version = line.substring(last + 1);
            if (version.equals("HTTP/2.0")) {
                throw new Unframable("HTTP/2");
            }
            if (!HeaderSection.isToken(method) || target.indexOf(' ') >= 0 || target.indexOf('\t') >= 0) {
                throw new Unframable("malformed request line");
            }
            HttpReplyFramer.checkVersion(version);
            return true;
        }

        @Override
        public RequestHead head(HeaderSection section) {
            return new RequestHead(method, target, version, section.take());
        }

        @Override
        public BodyFraming framing(RequestHead head) throws Unframable {
            return head.method().equals("CONNECT") ? BodyFraming.leaving("tunnel") : BodyFraming.ofRequest(head);
        }

        @Override
        public void interim(RequestHead head, int rawLength) {
            throw new IllegalStateException("an interim request");
        }
    }
}
