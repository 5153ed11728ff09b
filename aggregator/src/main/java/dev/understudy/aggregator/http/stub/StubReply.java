package dev.understudy.aggregator.http.stub;

import dev.understudy.divergence.wire.http.Header;
import java.util.List;

/**
 * What a stub answers. Immutable; the body's bytes are never changed.
 *
 * @param headers without those that frame the reply
 * @param delayMillis after the request
 */
public record StubReply(int status, String phrase, List<Header> headers, byte[] body, long delayMillis) {}
