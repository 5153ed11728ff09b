package dev.understudy.relay.tap;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The taps that a factory and the one beside it have on one connection; each is turned and fails for itself. */
public final class FeedPair implements RemoteFeed {
    private final RemoteFeed first;
    private final RemoteFeed second;

    private FeedPair(RemoteFeed first, RemoteFeed second) {
        this.first = first;
        this.second = second;
    }

    /** Those of a connection that has just been accepted; as a rule there is only one. */
    public static RemoteFeed open(TapFactory taps, TapConnection connection, LongAdder failures) {
        ConnectionTap first = ConnectionTap.open(taps, connection, failures);
        TapFactory other = first.factoryBeside();
        return other == null ? first : new FeedPair(first, ConnectionTap.open(other, connection, failures));
    }

    /**
     * Those of a connection that goes on already: it is joined where a request may begin.
     *
     * @param last who spoke last; null if nobody has spoken yet
     */
    public static RemoteFeed join(
            TapFactory taps, TapConnection connection, @Nullable Direction last, LongAdder failures) {
        ConnectionTap first = ConnectionTap.join(taps, connection, last, failures);
        TapFactory other = first.factoryBeside();
        return other == null ? first : new FeedPair(first, ConnectionTap.join(other, connection, last, failures));
    }

    @Override
    public boolean isIdle() {
        return first.isIdle() && second.isIdle();
    }

    @Override
    public void skip(Direction direction, int length) {
        first.skip(direction, length);
        second.skip(direction, length);
    }

    @Override
    public void read(TapRead read) {
        first.read(read);
        second.read(read);
    }

    @Override
    public void connected(long nanos) {
        first.connected(nanos);
        second.connected(nanos);
    }

    @Override
    public void end(Direction direction, long nanos) {
        first.end(direction, nanos);
        second.end(direction, nanos);
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        first.closed(reason, nanos);
        second.closed(reason, nanos);
    }

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        first.lost(requestBytes, replyBytes, nanos);
        second.lost(requestBytes, replyBytes, nanos);
    }

    @Override
    public void fail(Throwable e) {
        first.fail(e);
        second.fail(e);
    }
}
