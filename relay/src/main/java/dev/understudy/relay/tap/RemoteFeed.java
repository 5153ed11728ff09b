package dev.understudy.relay.tap;

/** The far end of a feed whose relay is another process: on the way there something may be lost. */
public interface RemoteFeed extends TapFeed {
    /** So many bytes were lost on the way, here; what follows comes after a hole. */
    void lost(long requestBytes, long replyBytes, long nanos);
}
