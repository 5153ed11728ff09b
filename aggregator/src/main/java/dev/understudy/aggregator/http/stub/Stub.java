package dev.understudy.aggregator.http.stub;

/**
 * One request pattern and what it is answered with. Immutable.
 *
 * @param name for people: its own, and the file it stands in
 * @param priority 1 is asked first
 */
public record Stub(String name, int priority, RequestPattern request, StubReply reply) {}
