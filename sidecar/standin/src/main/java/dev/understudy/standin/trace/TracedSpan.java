package dev.understudy.standin.trace;

/**
 * What is kept of a span.
 *
 * @param id within its trace
 * @param parent its parent's id, 0 for none
 * @param service whose it is
 * @param route what was asked, without numbers and ids
 * @param peer who is asked, as far as its own attributes say; "" if they don't
 * @param peerKind what the peer is
 * @param start in nanoseconds since 1970
 * @param end in nanoseconds since 1970, not before the start
 */
public record TracedSpan(
        long id,
        long parent,
        SpanRole role,
        String service,
        String route,
        String peer,
        NodeKind peerKind,
        long start,
        long end) {}
