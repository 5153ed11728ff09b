package dev.understudy.relay.loop;

/** The socket was reset, or is closed both ways; fired through the pipeline after Netty has read what there was. */
public final class HungUp {
    /** The event; there is but one. */
    public static final HungUp INSTANCE = new HungUp();

    private HungUp() {}
}
