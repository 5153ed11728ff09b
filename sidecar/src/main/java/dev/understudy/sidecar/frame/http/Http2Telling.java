package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestRewriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the debug JVM one HTTP/2 connection after its preface, with its own identities and traces.
 *
 * <p>As long as nothing is to be changed, it is told the bytes that the client sent. From the first head on that is, it
 * gets every head and all trailers in a coding of ours, which needs no table: those of the client build on what it
 * never saw. Which frames there are, and in what order, stays the client's business, but for the requests below.
 *
 * <p>A request in whose body an identity may be is kept back until it is whole, if it is short. Where another stream
 * begins before, or something is said about this one, its head goes on, since streams begin in order, but without a
 * length: the body may still change. Confined to its lane loop.
 */
final class Http2Telling implements RequestRewriter {
    private static final int MOST_HELD = 16;
    private static final int MOST_LEFT_OUT = 1_000;

    private final OwnIdentities identities;
    private final MemoryBudget memory;
    private final Http2Cue cue = new Http2Cue();
    private final Http2FrameWriter writer = new Http2FrameWriter();
    private final Map<Integer, Http2Held> held = new LinkedHashMap<>();
    private final Set<Integer> leftOut = new HashSet<>();
    private int begun;
    private boolean own;
    private boolean lost;

    Http2Telling(OwnIdentities identities, MemoryBudget memory) {
        this.identities = identities;
        this.memory = memory;
    }

    @Override
    public ByteBuf request(Request request, ByteBuf raw, @Nullable String traceparent) {
        Http2Headers fields = cue.read(raw) == Http2Cue.Kind.HEADERS ? cue.headers() : null;
        if (lost || fields == null) {
            return unread(raw);
        }
        begun = cue.stream();
        ByteBuf before = headsGoOn();
        RequestHead said = ((HttpRequest) request).head();
        RequestHead told = identities.head(said, traceparent);
        boolean changed = !told.equals(said);
        boolean mayHold = !cue.last() && identities.any() && held.size() < MOST_HELD;
        Http2Held kept = mayHold ? Http2Held.of(cue.stream(), raw, fields, told, changed, memory) : null;
        if (kept == null) {
            return both(before, head(cue.stream(), cue.last(), raw, fields, told, changed));
        }
        held.put(kept.stream, kept);
        return before;
    }

    @Override
    public ByteBuf more(ByteBuf raw) {
        if (!raw.isReadable()) {
            return raw;
        }
        Http2Cue.Kind kind = cue.read(raw);
        boolean unreadHead = kind == Http2Cue.Kind.HEADERS && cue.headers() == null && cue.stream() > begun;
        if (unreadHead && !lost && leftOut.size() < MOST_LEFT_OUT) {
            return withoutHead(raw);
        }
        if (kind != Http2Cue.Kind.UNREAD && leftOut.contains(cue.stream())) {
            return nothing(raw);
        }
        Http2Held kept = held.get(cue.stream());
        if (lost || kind == Http2Cue.Kind.UNREAD || (kind == Http2Cue.Kind.HEADERS && cue.headers() == null)) {
            return unread(raw);
        }
        return switch (kind) {
            case HEADERS -> both(kept == null ? Unpooled.EMPTY_BUFFER : whole(kept, false), trailers(raw));
            case DATA -> kept == null ? raw : body(kept, raw);
            case RESET -> both(kept == null ? Unpooled.EMPTY_BUFFER : asItCame(kept), raw);
            default -> both(kept == null ? Unpooled.EMPTY_BUFFER : headsGoOn(), raw);
        };
    }

    /** A request begins whose head can't be read, nor said in a coding of ours: then debug doesn't get it. */
    private ByteBuf withoutHead(ByteBuf raw) {
        begun = cue.stream();
        ByteBuf before = headsGoOn();
        if (!own) {
            return both(before, raw);
        }
        leftOut.add(begun);
        return both(before, nothing(raw));
    }

    /** More of such a request. */
    private ByteBuf nothing(ByteBuf raw) {
        if (cue.last()) {
            leftOut.remove(cue.stream());
        }
        raw.release();
        return Unpooled.EMPTY_BUFFER;
    }

    private ByteBuf body(Http2Held kept, ByteBuf raw) {
        boolean last = cue.last();
        boolean more = kept.add(raw, cue.content());
        if (last) {
            return whole(kept, true);
        }
        return more ? Unpooled.EMPTY_BUFFER : asItCame(kept);
    }

    private ByteBuf trailers(ByteBuf raw) {
        Http2Headers fields = cue.headers();
        if (!own || fields == null) {
            return raw;
        }
        ByteBuf frames = writer.fields(cue.stream(), cue.last(), raw, fields);
        raw.release();
        return frames;
    }

    /** Takes ownership of {@code raw}. */
    private ByteBuf head(
            int stream, boolean last, ByteBuf raw, Http2Headers fields, RequestHead told, boolean changed) {
        own |= changed;
        if (!own) {
            return raw;
        }
        ByteBuf frames = writer.head(stream, last, raw, fields, told);
        raw.release();
        return frames;
    }

    /** Whatever is kept back of heads. */
    private ByteBuf headsGoOn() {
        ByteBuf all = Unpooled.EMPTY_BUFFER;
        for (Http2Held kept : held.values()) {
            ByteBuf raw = kept.takeHead();
            if (raw != null) {
                RequestHead told = kept.told.without("content-length");
                boolean changed = kept.changed || !told.equals(kept.told);
                all = both(all, head(kept.stream, false, raw, kept.fields, told, changed));
            }
        }
        return all;
    }

    /** Its body is whole; trailers follow unless it ends the stream. */
    private ByteBuf whole(Http2Held kept, boolean last) {
        byte[] body = kept.body();
        byte[] changed = identities.body(kept.type, body);
        if (changed == body) {
            return asItCame(kept);
        }
        held.remove(kept.stream);
        ByteBuf raw = kept.takeHead();
        ByteBuf head = Unpooled.EMPTY_BUFFER;
        if (raw != null) {
            RequestHead told = kept.told.first("content-length") == null
                    ? kept.told
                    : kept.told.with("content-length", Integer.toString(changed.length));
            head = head(kept.stream, false, raw, kept.fields, told, kept.changed || !told.equals(kept.told));
        }
        kept.release();
        return both(head, Http2FrameWriter.data(kept.stream, last, changed));
    }

    private ByteBuf asItCame(Http2Held kept) {
        held.remove(kept.stream);
        ByteBuf raw = kept.takeHead();
        ByteBuf head = raw == null
                ? Unpooled.EMPTY_BUFFER
                : head(kept.stream, false, raw, kept.fields, kept.told, kept.changed);
        ByteBuf all = both(head, kept.takeFrames());
        kept.release();
        return all;
    }

    /** What can't be read goes on as it is, as long as debug knows all that it may refer to. */
    private ByteBuf unread(ByteBuf raw) {
        lost = true;
        ByteBuf before = rest();
        if (own) {
            raw.release();
            return before;
        }
        return both(before, raw);
    }

    @Override
    public ByteBuf rest() {
        ByteBuf all = Unpooled.EMPTY_BUFFER;
        for (Http2Held kept : Map.copyOf(held).values()) {
            all = both(all, asItCame(kept));
        }
        return all;
    }

    @Override
    public boolean stuck() {
        return lost && own;
    }

    @Override
    public void release() {
        held.values().forEach(Http2Held::release);
        held.clear();
        cue.stop();
    }

    private static ByteBuf both(ByteBuf first, ByteBuf second) {
        return first.isReadable() ? Unpooled.wrappedBuffer(first, second) : second;
    }
}
