package dev.understudy.sidecar.inbound;

/** Is told of inbound exchanges, by lane loops; never blocks and never throws. */
@FunctionalInterface
public interface InboundSink {
    /** For when nobody wants to know. */
    InboundSink NONE = state -> {};

    /** Something has changed about an exchange; this is all that is known of it. */
    void told(InboundState state);
}
