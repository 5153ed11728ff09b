package dev.understudy.sidecar.replay;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RecordingTurns;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what the client of one recorded connection sent, at its time, and not before the replies that it had by then
 * have come as far; reads replies on a thread of its own.
 */
final class ReplayedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayedConnection.class);
    private static final int CONNECT_MILLIS = 10_000;

    private final RecordingReader recording;
    private final Contents.Summary summary;
    private final InetSocketAddress to;
    private final Pace pace;
    private final long patienceMillis;
    private final Replies replies;
    private final @Nullable ReplayTarget target;
    private final RecordingTurns turns = new RecordingTurns();
    private long recordedReplyBytes;
    private long sent;
    private int turn;
    private boolean over;
    private long waitsInVain;

    ReplayedConnection(
            RecordingReader recording,
            Contents.Summary summary,
            InetSocketAddress to,
            Pace pace,
            long patienceMillis,
            Replies replies,
            @Nullable ReplayTarget target) {
        this.recording = recording;
        this.summary = summary;
        this.to = to;
        this.pace = pace;
        this.patienceMillis = patienceMillis;
        this.replies = replies;
        this.target = target;
    }

    /**
     * Plays all of it, or up to what is wanted of it; gives how often a reply was waited for in vain.
     *
     * @throws IOException if the address refuses, resets, or the recording can't be read
     */
    long play() throws IOException, InterruptedException {
        pace.await(summary.firstNanos());
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(to.getHostString(), to.getPort()), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            Thread reader = new Thread(() -> read(socket), "replay-" + summary.id());
            reader.setDaemon(true);
            reader.start();
            for (long position : summary.blocks()) {
                if (over) {
                    break;
                }
                BlockReader block = recording.blockAt(position);
                try {
                    for (; block.hasRecord() && !over; block.skip()) {
                        tell(block, socket);
                    }
                } finally {
                    block.release();
                }
            }
            if (replies.isTold()) {
                recordedReplyBytes = Long.MAX_VALUE; // all of the new one, however long it is
            }
            waitForReplies();
        }
        replies.over();
        return waitsInVain;
    }

    private void tell(BlockReader block, Socket socket) throws IOException, InterruptedException {
        boolean begins = turns.begins(block.event());
        if (isBehindTarget(begins)) {
            over = true;
            return;
        }
        switch (block.event()) {
            case REQUEST -> {
                pace.await(block.nanos());
                waitForReplies();
                send(block.data(), block.nanos(), socket.getOutputStream());
            }
            case REPLY -> {
                recordedReplyBytes += block.length();
                replies.recorded(block.data(), block.nanos());
                over = replies.isTold();
            }
            case REQUEST_END -> {
                pace.await(block.nanos());
                waitForReplies();
                socket.shutdownOutput();
            }
            case REPLY_END -> {
                recordedReplyBytes = Long.MAX_VALUE;
                replies.recordedEnd(block.nanos());
                over = replies.isTold();
            }
            case PREFACE -> {
                ByteBuf preface = block.data();
                try {
                    preface.readBytes(socket.getOutputStream(), preface.readableBytes());
                } finally {
                    preface.release();
                }
            }
            case OPENED, CONNECTED, CLOSED, LOST -> {}
        }
    }

    /** Counts turns, as {@link ReplayTarget} does, where these are what is wanted. */
    private boolean isBehindTarget(boolean begins) throws InterruptedException {
        if (target == null || target.framed()) {
            return false;
        }
        turn += begins ? 1 : 0;
        if (begins && turn == target.number()) {
            waitForReplies();
            replies.forget();
        }
        return turn > target.number();
    }

    private void send(ByteBuf data, long nanos, OutputStream out) throws IOException {
        try {
            replies.request(data.retainedDuplicate(), nanos);
            int length = (int) Math.min(data.readableBytes(), replies.wanted() - sent);
            data.readBytes(out, length);
            sent += length;
            out.flush();
        } finally {
            data.release();
        }
    }

    private void waitForReplies() throws InterruptedException {
        if (!replies.awaitReceived(recordedReplyBytes, patienceMillis)) {
            waitsInVain++;
        }
    }

    private void read(Socket socket) {
        byte[] bytes = new byte[64 << 10];
        try {
            InputStream in = socket.getInputStream();
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                replies.replayed(Unpooled.copiedBuffer(bytes, 0, length));
            }
        } catch (IOException over) {
            LOG.debug("connection {}: {}", summary.id(), over.toString());
        }
        replies.replayedEnd();
    }
}
