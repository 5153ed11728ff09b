package dev.understudy.it.fidelity.wire;

/**
 * A request and its reply, as text.
 *
 * @param form what was asked, without the names that a client makes up
 */
public record Exchange(String form, String reply) {}
