package dev.understudy.standin.trace;

import java.util.Locale;

/** On which side of a call a span was made. */
public enum SpanRole {
    /** Neither: work within a service, or not said. */
    INTERNAL,
    /** It answers a request. */
    SERVER,
    /** It waits for an answer. */
    CLIENT,
    /** It sends a message. */
    PRODUCER,
    /** It works on a message. */
    CONSUMER;

    private static final String PREFIX = "SPAN_KIND_";

    /** The role by OTLP's number or name, or by Jaeger's tag; {@link #INTERNAL} if it is none of them. */
    static SpanRole of(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return switch (upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper) {
            case "2", "SERVER" -> SERVER;
            case "3", "CLIENT" -> CLIENT;
            case "4", "PRODUCER" -> PRODUCER;
            case "5", "CONSUMER" -> CONSUMER;
            default -> INTERNAL;
        };
    }

    /** Whether another process is asked. */
    public boolean isCalling() {
        return this == CLIENT || this == PRODUCER;
    }

    /** Whether it works on what another process has asked for. */
    public boolean isAnswering() {
        return this == SERVER || this == CONSUMER;
    }
}
