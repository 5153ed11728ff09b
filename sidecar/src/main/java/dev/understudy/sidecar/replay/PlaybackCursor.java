package dev.understudy.sidecar.replay;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RecordingTurns;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a recorded connection stands that is played to a tap. Confined to one thread. */
final class PlaybackCursor {
    private static final byte[] NOTHING = {};
    /** Where a client was when it was recorded says nothing to anybody any more. */
    private static final InetSocketAddress RECORDED = InetSocketAddress.createUnresolved("recorded", 0);

    private final RecordingReader recording;
    private final Contents.Summary summary;
    private final Iterator<Long> blocks;
    private final RecordingTurns turns = new RecordingTurns();
    private @Nullable BlockReader block;
    private @Nullable Tap tap;
    private byte[] preface = NOTHING;
    private boolean isConnected;
    private boolean isOver;
    private long nanos;

    /**
     * At its first event.
     *
     * @throws IOException if that can't be read
     */
    PlaybackCursor(RecordingReader recording, Contents.Summary summary) throws IOException {
        this.recording = recording;
        this.summary = summary;
        this.blocks = summary.blocks().iterator();
        this.nanos = summary.firstNanos();
        find();
    }

    /** Whether it has an event; the methods below are about it. */
    boolean isThere() {
        return block != null;
    }

    /** When that happened; at the end, when the last one did. */
    long nanos() {
        return nanos;
    }

    /** Whether the client begins to say something with it; asked once of each. */
    boolean beginsTurn() {
        return turns.begins(event());
    }

    private StreamEvent event() {
        BlockReader current = block;
        if (current == null) {
            throw new IllegalStateException("at the end of connection " + summary.id());
        }
        return current.event();
    }

    /**
     * Gives the event to the tap, which is opened for the first one that needs one.
     *
     * @param taps null for one that there is no room for
     * @return false if something is missing from here on
     */
    boolean play(Function<TapConnection, @Nullable Tap> taps) {
        BlockReader current = block;
        if (current == null || isOver) {
            return true;
        }
        ByteBuf data = current.data();
        try {
            switch (current.event()) {
                case OPENED -> {}
                case PREFACE -> preface = bytes(data);
                case CLOSED ->
                    close(
                            data.toString(StandardCharsets.UTF_8).equals(CloseReason.RESET_BY_CLIENT.name())
                                    ? CloseReason.RESET_BY_CLIENT
                                    : CloseReason.FINISHED);
                default -> {
                    return told(current.event(), data, taps);
                }
            }
            return true;
        } finally {
            data.release();
        }
    }

    private boolean told(StreamEvent event, ByteBuf data, Function<TapConnection, @Nullable Tap> taps) {
        Tap open = tap;
        if (open == null) {
            open = taps.apply(new TapConnection(summary.id(), RECORDED, RECORDED, summary.firstNanos(), preface, null));
            if (open == null) {
                isOver = true;
                return false;
            }
            tap = open;
        }
        if (!isConnected) {
            isConnected = true;
            open.connected(nanos);
        }
        switch (event) {
            // a copy, since a small part of a block would keep all of it
            case REQUEST -> open.data(Direction.REQUEST, Unpooled.copiedBuffer(data), nanos);
            case REPLY -> open.data(Direction.REPLY, Unpooled.copiedBuffer(data), nanos);
            case REQUEST_END -> open.end(Direction.REQUEST, nanos);
            case REPLY_END -> open.end(Direction.REPLY, nanos);
            case LOST -> open.lost(0, 0, nanos);
            case OPENED, PREFACE, CONNECTED, CLOSED -> {}
        }
        return event != StreamEvent.LOST;
    }

    private static byte[] bytes(ByteBuf data) {
        byte[] bytes = new byte[data.readableBytes()];
        data.getBytes(data.readerIndex(), bytes);
        return bytes;
    }

    /**
     * Goes on to the next event; at the end the tap is told so.
     *
     * @return false at the end
     * @throws IOException if that can't be read
     */
    boolean advance() throws IOException {
        BlockReader current = block;
        if (current == null) {
            return false;
        }
        current.skip();
        find();
        if (block == null) {
            close(CloseReason.FINISHED);
        }
        return block != null;
    }

    private void find() throws IOException {
        while (block == null || !block.hasRecord()) {
            release();
            if (!blocks.hasNext()) {
                return;
            }
            block = recording.blockAt(blocks.next());
        }
        nanos = block.nanos();
    }

    /** Ends the tap, if there is one; nothing follows. */
    void close(CloseReason reason) {
        Tap open = tap;
        if (open != null && !isOver) {
            isOver = true;
            open.closed(reason, nanos);
        }
        release();
    }

    private void release() {
        if (block != null) {
            block.release();
            block = null;
        }
    }
}
