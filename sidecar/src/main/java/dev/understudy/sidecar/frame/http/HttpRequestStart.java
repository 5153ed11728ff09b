package dev.understudy.sidecar.frame.http;

import dev.understudy.sidecar.tee.RequestStart.Look;
import java.nio.ByteBuffer;

/**
 * Whether bytes taken from the middle of a connection may begin an HTTP/1.x request: a request line (RFC 9112, section
 * 3) in full, with exactly one space between its parts.
 */
public final class HttpRequestStart {
    /** Longer request lines aren't looked at to their end. */
    public static final int LONGEST = 8192;

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final int LONGEST_METHOD = 32;
    private static final String VERSION = "HTTP/1.";

    private HttpRequestStart() {}

    /** Looks at {@code bytes}, whose position is left alone. */
    public static Look look(ByteBuffer bytes) {
        int at = bytes.position();
        int end = Math.min(bytes.limit(), at + LONGEST);
        int methodFrom = at;
        while (at < end && isToken(bytes.get(at)) && at - methodFrom <= LONGEST_METHOD) {
            at++;
        }
        if (at == end) {
            return more(bytes);
        }
        if (at == methodFrom || bytes.get(at) != ' ') {
            return Look.NO;
        }
        int targetFrom = ++at;
        while (at < end && bytes.get(at) > ' ' && bytes.get(at) != 0x7f) {
            at++;
        }
        if (at == end) {
            return more(bytes);
        }
        if (at == targetFrom || bytes.get(at) != ' ') {
            return Look.NO;
        }
        return version(bytes, at + 1, end);
    }

    private static Look version(ByteBuffer bytes, int from, int end) {
        int at = from;
        for (int i = 0; i < VERSION.length(); i++, at++) {
            if (at == end) {
                return more(bytes);
            }
            if (bytes.get(at) != VERSION.charAt(i)) {
                return Look.NO;
            }
        }
        if (at + 1 >= end) {
            return more(bytes);
        }
        byte minor = bytes.get(at);
        boolean lineEnds = bytes.get(at + 1) == '\n';
        if (bytes.get(at + 1) == '\r') {
            if (at + 2 >= end) {
                return more(bytes);
            }
            lineEnds = bytes.get(at + 2) == '\n';
        }
        return (minor == '0' || minor == '1') && lineEnds ? Look.YES : Look.NO;
    }

    private static Look more(ByteBuffer bytes) {
        return bytes.remaining() < LONGEST ? Look.MORE : Look.NO;
    }

    private static boolean isToken(byte b) {
        return (b >= 'A' && b <= 'Z')
                || (b >= 'a' && b <= 'z')
                || (b >= '0' && b <= '9')
                || TOKEN_MARKS.indexOf(b) >= 0;
    }
}
