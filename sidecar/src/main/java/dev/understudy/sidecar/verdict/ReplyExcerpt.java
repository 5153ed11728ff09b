package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.wire.http.Header;
import java.util.List;

/**
 * The head and the beginning of one side's HTTP reply, as it came: secrets aren't masked yet. The array is shared:
 * leave it unchanged.
 *
 * @param reason the reason phrase, often empty
 * @param body the first bytes of the body, without framing
 * @param bodyLength the whole body's length in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
public record ReplyExcerpt(int status, String reason, List<Header> headers, byte[] body, long bodyLength) {
    /** Of a body at most so many bytes are kept. */
    public static final int MOST_BODY = 16 << 10;

    public ReplyExcerpt {
        headers = List.copyOf(headers);
    }

    /** Bytes of memory that it occupies, roughly. */
    long heldBytes() {
        long held = 128L + body.length;
        for (Header header : headers) {
            held += 96L + header.name().length() + header.value().length();
        }
        return held;
    }
}
