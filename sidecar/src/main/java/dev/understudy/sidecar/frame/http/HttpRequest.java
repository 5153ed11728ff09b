package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.tee.Sampling;
import org.jspecify.annotations.Nullable;

/**
 * A request's head.
 *
 * @param rawLength its length in HTTP/1.1
 * @param stream that of HTTP/2; 0 in HTTP/1.1
 */
record HttpRequest(RequestHead head, int rawLength, int stream) implements Request {
    /** Bytes of memory for each byte of a head, once it is parsed. */
    private static final long PARSED = 4;

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String target(Masking masking) {
        return masking.target(head.target());
    }

    @Override
    public @Nullable String clientTrace() {
        return head.first("traceparent");
    }

    /** Of HTTP/2 nothing is left out: what follows is told in terms of the headers before. */
    @Override
    public Part part() {
        return stream == 0 ? Part.ALONE : Part.STATE;
    }

    /** A stream may be open for as long as both sides like; in HTTP/1.1 it is the exception. */
    @Override
    public boolean waits() {
        return stream != 0;
    }

    /** RFC 9112, section 9.6. */
    @Override
    public boolean isLast() {
        return stream == 0
                && ConnectionOptions.of(head.all("Connection"), head.version()).closes();
    }

    @Override
    public int gathered() {
        return stream == 0 && WholeRequest.mayChange(head) ? WholeRequest.MOST + rawLength : 0;
    }

    @Override
    public boolean isIn(Sampling sampling) {
        return sampling.takesRequest(head);
    }

    @Override
    public long heldBytes() {
        return PARSED * rawLength;
    }
}
