package dev.understudy.relay.ring;

import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.FeedPair;
import dev.understudy.relay.tap.RemoteFeed;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tap.TapRead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections and their taps of the records of one ring, in the lane process. Confined to the thread that reads
 * the ring.
 *
 * <p>Records of a connection whose beginning isn't known, as the last lane process had it, are counted and dropped: its
 * relay loop begins it anew.
 */
final class RecordReceiver {
    private final IntFunction<@Nullable TapFactory> listeners;
    private final ByteBufAllocator allocator;
    private final LongAdder failures;
    private final UnknownBytes unknownBytes;
    private final Map<Long, Received> streams = new HashMap<>();
    private final TapRead read = new TapRead();
    private final LongAdder damages = new LongAdder();

    /**
     * @param listeners the taps of a listener, by its number; null if there is no such listener
     * @param failures counts copies that ended by a defect
     * @param unknownBytes counts bytes of connections whose beginning isn't known
     */
    RecordReceiver(
            IntFunction<@Nullable TapFactory> listeners,
            ByteBufAllocator allocator,
            LongAdder failures,
            UnknownBytes unknownBytes) {
        this.listeners = listeners;
        this.allocator = allocator;
        this.failures = failures;
        this.unknownBytes = unknownBytes;
    }

    /** Connections that are open as far as the records tell. */
    int open() {
        return streams.size();
    }

    /** How often the ring couldn't be read on. */
    long damages() {
        return damages.sum();
    }

    /**
     * One connection, and how many of its bytes came in each direction; -1 where it was joined and none has come yet.
     */
    private static final class Received {
        final RemoteFeed feed;
        long requestPosition;
        long replyPosition;

        Received(RemoteFeed feed, long position) {
            this.feed = feed;
            this.requestPosition = position;
            this.replyPosition = position;
        }
    }

    /** Bytes that were relayed; the buffer is written to again once this returns. */
    void data(
            StreamEvent event,
            int listener,
            long connection,
            long nanos,
            long position,
            ByteBuf bytes,
            int start,
            int length) {
        Received stream = streams.get(connection);
        if (stream == null) {
            unknownBytes.add(listener, length);
            return;
        }
        boolean request = event == StreamEvent.REQUEST;
        long expected = request ? stream.requestPosition : stream.replyPosition;
        if (expected >= 0 && position > expected) {
            long missing = position - expected;
            stream.feed.lost(request ? missing : 0, request ? 0 : missing, nanos);
        }
        if (request) {
            stream.requestPosition = position + length;
        } else {
            stream.replyPosition = position + length;
        }
        read.show(request ? Direction.REQUEST : Direction.REPLY, bytes, start, length, nanos, allocator);
        stream.feed.read(read);
        read.release();
    }

    /** Anything else that happened. */
    void event(StreamEvent event, byte flags, int listener, long connection, long nanos, ByteBuffer text) {
        if (event == StreamEvent.OPENED) {
            opened(flags, listener, connection, nanos, text);
            return;
        }
        Received stream = event == StreamEvent.CLOSED ? streams.remove(connection) : streams.get(connection);
        if (stream == null) {
            return;
        }
        switch (event) {
            case CONNECTED -> stream.feed.connected(nanos);
            case REQUEST_END -> stream.feed.end(Direction.REQUEST, nanos);
            case REPLY_END -> stream.feed.end(Direction.REPLY, nanos);
            case LOST -> lost(stream, nanos, text);
            case CLOSED -> stream.feed.closed(reason(text), nanos);
            default -> damages.increment();
        }
    }

    private void opened(byte flags, int listener, long id, long nanos, ByteBuffer text) {
        Received before = streams.remove(id);
        if (before != null) {
            before.feed.closed(CloseReason.UNTAPPED, nanos);
        }
        TapFactory taps = listeners.apply(listener);
        TapConnection connection = OpenedConnection.decode(id, nanos, text);
        if (taps == null || connection == null) {
            damages.increment();
        } else if ((flags & TapRecord.MIDSTREAM) == 0) {
            streams.put(id, new Received(FeedPair.open(taps, connection, failures), 0));
        } else {
            Direction speaker = (flags & TapRecord.AFTER_REPLY) != 0 ? Direction.REPLY : Direction.REQUEST;
            Direction last = (flags & TapRecord.UNTOUCHED) != 0 ? null : speaker;
            streams.put(id, new Received(FeedPair.join(taps, connection, last, failures), -1));
        }
    }

    private void lost(Received stream, long nanos, ByteBuffer text) {
        if (text.remaining() != 2 * Long.BYTES) {
            damages.increment();
            return;
        }
        text.order(ByteOrder.nativeOrder());
        long requestBytes = Math.max(0, text.getLong());
        long replyBytes = Math.max(0, text.getLong());
        stream.requestPosition += stream.requestPosition < 0 ? 0 : requestBytes;
        stream.replyPosition += stream.replyPosition < 0 ? 0 : replyBytes;
        stream.feed.lost(requestBytes, replyBytes, nanos);
    }

    private static CloseReason reason(ByteBuffer text) {
        String name = StandardCharsets.US_ASCII.decode(text).toString();
        for (CloseReason reason : CloseReason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
        }
        return CloseReason.INTERNAL;
    }

    /** What was in the ring can't be read: the copies of all its connections end. */
    void damaged() {
        damages.increment();
        long now = System.nanoTime();
        streams.values().forEach(stream -> stream.feed.closed(CloseReason.UNTAPPED, now));
        streams.clear();
    }
}
