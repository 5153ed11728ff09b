package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Http2Preface;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who owes whom an answer on an HTTP/2 connection that is carried as bytes: which of the client's streams production
 * has ended, and which debug.
 *
 * <p>It is about HTTP/2 if the first that the client says is the connection preface (RFC 9113, section 3.4); else, and
 * once {@link #giveUp given up}, it knows nothing. A stream is ended by END_STREAM or RST_STREAM of the server, or by
 * the client's RST_STREAM. Keeps the numbers of at most {@value #MOST_OPEN} streams. Confined to its lane loop.
 */
public final class Http2Dialogue {
    private static final int MOST_OPEN = 10_000;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int END_STREAM = 1;

    private final Set<Integer> openInProduction = new HashSet<>();
    private final NavigableSet<Integer> openInDebug = new TreeSet<>();
    private final Http2Frames client = new Http2Frames(this::asked);
    private final Http2Frames production =
            new Http2Frames((type, flags, stream) -> answered(openInProduction, type, flags, stream));
    private final Http2Frames debug =
            new Http2Frames((type, flags, stream) -> answered(openInDebug, type, flags, stream));
    private final Http2Preface preface = new Http2Preface();
    private int lastOpened;
    private boolean off;

    /** The client said {@code data}, which stays as it is. */
    public void client(ByteBuf data) {
        int at = data.readerIndex();
        if (!off && !preface.decided()) {
            ByteBuffer first = data.nioBuffer();
            preface.look(first);
            at += first.position();
            off = preface.decided() && !preface.complete();
        }
        if (!off) {
            client.look(data, at);
        }
    }

    /** Production said {@code data}, which stays as it is. */
    public void production(ByteBuf data) {
        if (!off) {
            production.look(data, data.readerIndex());
        }
    }

    /** Debug said {@code data}, which stays as it is. */
    public void debug(ByteBuf data) {
        if (!off) {
            debug.look(data, data.readerIndex());
        }
    }

    /** What comes isn't HTTP/2 from its beginning. */
    public void giveUp() {
        off = true;
        openInProduction.clear();
        openInDebug.clear();
    }

    /** Whether it is HTTP/2, and a request was made. */
    public boolean begun() {
        return !off && lastOpened > 0;
    }

    /** The number of the stream that the client opened last; they only rise. */
    public int lastOpened() {
        return lastOpened;
    }

    /** Whether production has answered everything, after there was something to answer. */
    public boolean productionIsThrough() {
        return begun() && openInProduction.isEmpty();
    }

    /** Whether debug has answered everything up to {@code stream}, after there was something to answer. */
    public boolean debugIsThrough(int stream) {
        return begun() && stream > 0 && (openInDebug.isEmpty() || openInDebug.first() > stream);
    }

    /** Debug is taken to have answered everything up to {@code stream}. */
    public void forgive(int stream) {
        openInDebug.headSet(stream, true).clear();
    }

    private void asked(int type, int flags, int stream) {
        if (type == RST_STREAM) {
            openInProduction.remove(stream);
            openInDebug.remove(stream);
        } else if (type == HEADERS && stream > lastOpened) {
            lastOpened = stream;
            openInProduction.add(stream);
            openInDebug.add(stream);
            if (openInDebug.size() > MOST_OPEN) {
                giveUp();
            }
        }
    }

    private static void answered(Set<Integer> open, int type, int flags, int stream) {
        boolean ends = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        if (ends || type == RST_STREAM) {
            open.remove(stream);
        }
    }
}
