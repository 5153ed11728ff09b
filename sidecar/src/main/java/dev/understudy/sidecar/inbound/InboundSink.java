package dev.understudy.sidecar.inbound;

/** Is told of inbound exchanges, by lane loops; never blocks and never throws. */
@FunctionalInterface
public interface InboundSink {
    /** For when nobody wants to know. */
    InboundSink NONE = state -> {};

    /** Whether it wants to know which values stand in production's replies. */
    default boolean wantsValues() {
        return false;
    }

    /** Somebody may want to run this exchange again, which is over. */
    default void keep(long exchange) {}

    /** Something has changed about an exchange; this is all that is known of it. */
    void told(InboundState state);
}
