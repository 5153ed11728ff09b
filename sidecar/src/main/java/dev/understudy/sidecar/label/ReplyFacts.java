package dev.understudy.sidecar.label;

import dev.understudy.divergence.content.coding.ContentCoding;
import dev.understudy.divergence.content.coding.DecodedContent;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a condition is asked of: one reply. Immutable.
 *
 * @param status 0 if no whole reply came
 * @param body decompressed; it isn't changed
 * @param millis from the last byte that was sent to the end of the reply
 * @param trouble why no whole reply came; empty if one did
 */
public record ReplyFacts(int status, List<Header> headers, byte[] body, long millis, String trouble) {
    private static final int LARGEST_TEXT = 256 << 10;

    public ReplyFacts {
        headers = List.copyOf(headers);
    }

    /** As far as an excerpt has it; a body that is coded and cut off has no text. */
    public static ReplyFacts of(ReplyExcerpt excerpt, long millis) {
        List<String> codings = excerpt.headers().stream()
                .filter(header -> header.is("Content-Encoding"))
                .map(Header::value)
                .toList();
        ContentCoding coding = ContentCoding.of(codings);
        byte[] body = excerpt.body();
        if (!coding.isNone()) {
            DecodedContent decoded = coding.decode(body, LARGEST_TEXT);
            body = decoded.isRead() ? decoded.bytes() : new byte[0];
        }
        return new ReplyFacts(excerpt.status(), excerpt.headers(), body, millis, "");
    }

    /** None, for that reason. */
    public static ReplyFacts none(String trouble, long millis) {
        return new ReplyFacts(0, List.of(), new byte[0], millis, trouble);
    }

    /** The same without head and body, which may be large. */
    public ReplyFacts outline() {
        return new ReplyFacts(status, List.of(), new byte[0], millis, trouble);
    }

    /** Its body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** In a word: its status, or why there is none. */
    @Override
    public String toString() {
        return status > 0 ? Integer.toString(status) : trouble;
    }
}
