package dev.understudy.divergence.wire.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the end of a message's body is found (RFC 9112, section 6.3).
 *
 * @param length of a counted body, otherwise 0
 * @param leaves the reason, if the connection leaves HTTP after this head
 */
record BodyFraming(Kind kind, long length, @Nullable String leaves) {
    enum Kind {
        COUNTED,
        CHUNKED,
        UNTIL_CLOSE,
        /** An interim reply, which is no message of its own. */
        INTERIM
    }

    static final BodyFraming NONE = new BodyFraming(Kind.COUNTED, 0, null);
    static final BodyFraming INTERIM = new BodyFraming(Kind.INTERIM, 0, null);
    private static final BodyFraming CHUNKED = new BodyFraming(Kind.CHUNKED, 0, null);
    private static final BodyFraming UNTIL_CLOSE = new BodyFraming(Kind.UNTIL_CLOSE, 0, null);

    static BodyFraming leaving(String reason) {
        return new BodyFraming(Kind.COUNTED, 0, reason);
    }

    static BodyFraming ofRequest(RequestHead head) throws Unframable {
        BodyFraming framing = declared(head.version(), head.headers());
        if (framing != null && framing.kind() == Kind.UNTIL_CLOSE) {
            throw new Unframable("request with a transfer coding other than chunked");
        }
        return framing == null ? NONE : framing;
    }

    static BodyFraming ofReply(ReplyHead head) throws Unframable {
        BodyFraming framing = declared(head.version(), head.headers());
        return framing == null ? UNTIL_CLOSE : framing;
    }

    private static @Nullable BodyFraming declared(String version, List<Header> headers) throws Unframable {
        List<String> codings = HeaderList.all(headers, "Transfer-Encoding");
        List<String> lengths = HeaderList.all(headers, "Content-Length");
        if (codings.isEmpty()) {
            return lengths.isEmpty() ? null : new BodyFraming(Kind.COUNTED, length(lengths), null);
        }
        if (!lengths.isEmpty()) {
            throw new Unframable("Content-Length beside Transfer-Encoding");
        }
        if (version.equals("HTTP/1.0")) {
            throw new Unframable("Transfer-Encoding in HTTP/1.0");
        }
        return chunked(codings) ? CHUNKED : UNTIL_CLOSE;
    }

    private static boolean chunked(List<String> codings) throws Unframable {
        String[] all = String.join(",", codings).toLowerCase(Locale.ROOT).split(",", -1);
        boolean last = false;
        for (String coding : all) {
            if (last) {
                throw new Unframable("transfer coding after chunked");
            }
            last = coding.strip().equals("chunked");
            if (!last && coding.contains("chunked")) {
                throw new Unframable("malformed Transfer-Encoding");
            }
        }
        return last;
    }

    /** One length, however often it is repeated. */
    private static long length(List<String> values) throws Unframable {
        long length = -1;
        for (String value : String.join(",", values).split(",", -1)) {
            long one = number(value.strip());
            if (length >= 0 && one != length) {
                throw new Unframable("conflicting Content-Length");
            }
            length = one;
        }
        return length;
    }

    private static long number(String digits) throws Unframable {
        if (digits.isEmpty() || digits.length() > 18) {
            throw new Unframable("malformed Content-Length");
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new Unframable("malformed Content-Length");
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
