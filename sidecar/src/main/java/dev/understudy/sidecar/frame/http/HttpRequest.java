package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.tee.Sampling;
import org.jspecify.annotations.Nullable;

/** A request's head. */
record HttpRequest(RequestHead head, int rawLength) implements Request {
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

    @Override
    public int gathered() {
        return WholeRequest.mayChange(head) ? WholeRequest.MOST + rawLength : 0;
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
