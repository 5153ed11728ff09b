package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.HeadEdit;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the body of a request out of its framing, and puts another into it. Confined to one thread. */
final class WholeRequest implements HttpSink<RequestHead> {
    /** Bodies that are longer go on as they are, and as they come. */
    static final int MOST = 1 << 20;

    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private List<Header> trailers = List.of();
    private boolean whole;

    private WholeRequest() {}

    /** Whether a request has a body in which identities are replaced, if it turns out to be short enough. */
    static boolean mayChange(RequestHead head) {
        MediaType type = MediaType.of(head.first("Content-Type"));
        if (type == null || !IdentityMap.reads(type) || head.first("Content-Encoding") != null) {
            return false;
        }
        String length = head.first("Content-Length");
        boolean short_ = length != null && length.length() <= 7 && Long.parseLong(length) <= MOST;
        return short_ || head.first("Transfer-Encoding") != null;
    }

    /**
     * The head and the body, as the debug JVM is told, with what follows from another length of the body; null if the
     * body stays as it is, or the head can't be changed.
     *
     * @param raw the request as it came, which stays as it is
     * @param asked its head
     * @param told the head that debug is told
     */
    static byte @Nullable [] rewritten(ByteBuf raw, HttpRequest asked, RequestHead told, IdentityMap identities) {
        MediaType type = MediaType.of(told.first("Content-Type"));
        WholeRequest request = new WholeRequest();
        new HttpRequestFramer(request).feed(ByteBuffer.wrap(ByteBufUtil.getBytes(raw)));
        if (type == null || !request.whole) {
            return null;
        }
        byte[] body = request.content.toByteArray();
        byte[] changed = identities.rewrite(type, body);
        if (changed == body) {
            return null;
        }
        boolean chunked = told.first("Transfer-Encoding") != null;
        RequestHead fitting = chunked ? told : told.with("Content-Length", Integer.toString(changed.length));
        byte[] head =
                HeadEdit.apply(ByteBufUtil.getBytes(raw, raw.readerIndex(), asked.rawLength()), asked.head(), fitting);
        return head == null ? null : request.framed(head, chunked, changed);
    }

    private byte[] framed(byte[] head, boolean chunked, byte[] body) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head);
        if (!chunked) {
            all.writeBytes(body);
            return all.toByteArray();
        }
        all.writeBytes(ascii(Integer.toHexString(body.length) + "\r\n"));
        all.writeBytes(body);
        StringBuilder end = new StringBuilder("\r\n0\r\n");
        trailers.forEach(trailer ->
                end.append(trailer.name()).append(": ").append(trailer.value()).append("\r\n"));
        all.writeBytes(ascii(end.append("\r\n").toString()));
        return all.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void head(RequestHead head, int rawLength) {}

    @Override
    public void body(ByteBuffer piece, int rawLength) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        content.writeBytes(bytes);
    }

    @Override
    public void trailers(List<Header> fields) {
        trailers = fields;
    }

    @Override
    public void end() {
        whole = true;
    }

    @Override
    public void unframed(String reason, int rawLength) {}
}
