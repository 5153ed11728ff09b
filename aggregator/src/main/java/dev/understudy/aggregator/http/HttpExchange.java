package dev.understudy.aggregator.http;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.body.Loss;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.journal.PendingCall;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of production's exchanges while it goes on; holds no more of the reply than may be recorded. Confined to its
 * connection.
 */
public final class HttpExchange {
    /** Heads, hash and objects. */
    private static final long OVERHEAD = 2_000;

    private static final int MOST_INTERIM = 16;

    /** Memory of a header besides its characters. */
    private static final long PER_HEADER = 160;

    private final UpstreamHttpRequest request;
    private final long startNanos;
    private final long largestBody;
    private ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private @Nullable Form form;
    private @Nullable ReplyHead replyHead;
    private List<Header> trailers = List.of();
    private final List<ReplyHead> interim = new ArrayList<>(0);
    private long replyHeaders;
    private boolean replyComplete;
    private final @Nullable LargeBodies bodies;
    private @Nullable BodyWriter large;
    private boolean tooLarge;
    private @Nullable Runnable underWay;
    private @Nullable LiveReply live;
    private boolean offered;
    private @Nullable LiveReply withdrawn;

    /**
     * Begins with a request.
     *
     * @param largestBody bytes of a reply's body that may be in memory
     * @param bodies takes those that are larger; null if they aren't kept
     */
    public HttpExchange(UpstreamHttpRequest request, long startNanos, long largestBody, @Nullable LargeBodies bodies) {
        this.bodies = bodies;
        this.request = request;
        this.startNanos = startNanos;
        this.largestBody = largestBody;
    }

    public UpstreamHttpRequest request() {
        return request;
    }

    public long startNanos() {
        return startNanos;
    }

    public void requestComplete() {
        form = form == null ? request.form() : form;
    }

    /** The debug JVM may wait for the reply, if there is no more than that to come. */
    public void await(Recording<HttpAnswer> recording) {
        if (form != null && !replyComplete && underWay == null) {
            PendingCall call = recording.begin(form);
            underWay = () -> recording.end(call);
        }
    }

    /** Nothing more is recorded of it. */
    public void end() {
        if (underWay != null) {
            underWay.run();
        }
    }

    /**
     * Lets the debug JVM have the reply while it comes, if its head doesn't say how long it is and the request is
     * complete. Does nothing the second time.
     */
    public void offer(Recording<HttpAnswer> recording, long nowNanos) {
        ReplyHead head = replyHead;
        if (offered || form == null || head == null || replyComplete || large != null || tooLarge) {
            return;
        }
        offered = true;
        HttpAnswer.Framing framing = HttpAnswer.Framing.of(request.head().method(), head);
        if (framing == HttpAnswer.Framing.COUNTED) {
            return;
        }
        LiveBody stream = new LiveBody(largestBody);
        HttpAnswer open = new HttpAnswer(taken(head), new byte[0], List.of(), framing, interim, null, null, stream);
        live = LiveReply.offer(recording, form, open, body.toByteArray(), startNanos, nowNanos);
        if (live != null) {
            takeBody();
        }
    }

    /** Whether the debug JVM has the reply already, which ends for it like this. Otherwise it is as any other. */
    public boolean given(LiveBody.Ending how) {
        LiveReply offer = live;
        if (offer == null) {
            return false;
        }
        if (withdraw(offer)) {
            return false;
        }
        live = null;
        offer.end(how, trailers);
        return true;
    }

    private boolean withdraw(LiveReply offer) {
        byte[] all = offer.withdraw();
        if (all == null) {
            return false;
        }
        body.writeBytes(all);
        live = null;
        withdrawn = offer;
        return true;
    }

    /** A head with a status of 1xx, before the reply; 100 is for the connection that it is on, and isn't kept. */
    public void interim(ReplyHead head) {
        if (head.status() != 100 && interim.size() < MOST_INTERIM) {
            interim.add(head);
            replyHeaders += memory(head.headers());
        }
    }

    public void replyBegins(ReplyHead head) {
        replyHead = head;
        replyHeaders += memory(head.headers());
    }

    /** Whether so many more bytes of the reply's body may be in memory. */
    public boolean hasRoom(int more) {
        return body.size() + (long) more <= room();
    }

    private long room() {
        return bodies == null ? largestBody : Math.min(bodies.threshold(), largestBody);
    }

    /**
     * Begins a file, into which the caller writes what of the reply is to be kept; null if nothing is kept in files.
     */
    public @Nullable BodyWriter file() {
        if (large == null && bodies != null) {
            large = bodies.begin();
        }
        return large;
    }

    /** There is nothing that is to be kept in the {@link #file}. */
    public void unfile() {
        abandon();
        large = null;
    }

    /** What is in memory of the reply's body, which isn't any longer. */
    public byte[] takeBody() {
        byte[] held = body.toByteArray();
        body = new ByteArrayOutputStream(0);
        return held;
    }

    public void replyBody(ByteBuffer content) {
        LiveReply offer = live;
        if (offer != null && !(offer.outgrows(content.remaining(), room()) && withdraw(offer))) {
            offer.append(content);
            return;
        }
        if (large != null) {
            large.add(content);
            return;
        }
        if (bodies != null && !hasRoom(content.remaining())) {
            large = bodies.begin();
            large.add(takeBody());
            large.add(content);
            return;
        }
        tooLarge |= !hasRoom(content.remaining());
        if (tooLarge) {
            body.reset();
            return;
        }
        byte[] piece = new byte[content.remaining()];
        content.get(piece);
        body.writeBytes(piece);
    }

    /** Bytes of the reply's body that are kept, or were given. */
    public int bodyBytes() {
        return live == null ? body.size() : (int) Math.min(Integer.MAX_VALUE, live.length());
    }

    /** About what this exchange takes in memory; growing bodies have room to spare. */
    public long heldBytes() {
        long asked = request.headMemory() + 2L * request.heldBytes();
        return OVERHEAD
                + asked
                + replyHeaders
                + (large == null ? 0 : large.heldBytes())
                + 2L * body.size()
                + (live == null ? 0 : live.heldBytes());
    }

    public void trailers(List<Header> received) {
        trailers = List.copyOf(received);
        replyHeaders += memory(trailers);
    }

    private static long memory(List<Header> headers) {
        long bytes = 0;
        for (Header header : headers) {
            bytes += PER_HEADER + header.name().length() + header.value().length();
        }
        return bytes;
    }

    public void replyComplete() {
        replyComplete = true;
    }

    /** Whether its reply has begun. */
    public boolean answered() {
        return replyHead != null;
    }

    /** A server may answer before it has read the request to its end. */
    public boolean complete() {
        return form != null && replyComplete;
    }

    /**
     * Counts it as one that wasn't {@link #complete}, unless the debug JVM has what there is of it. The server may have
     * answered a request that was then not sent to its end.
     */
    public void unfinished(Recording<HttpAnswer> recording, LiveBody.Ending how) {
        boolean given = given(how);
        abandon();
        if (given) {
            return;
        }
        if (form == null && replyComplete) {
            recording.dropped(
                    Unrecorded.ANSWERED_EARLY, request.cutOff(present(replyHead).status()));
        } else if (form != null) {
            recording.dropped(Unrecorded.INCOMPLETE, form);
        } else {
            recording.dropped(Unrecorded.INCOMPLETE, 1);
        }
    }

    /** Records the {@link #answer}, which is complete. */
    public void record(Recording<HttpAnswer> recording, Form asked, HttpAnswer answer, long endNanos) {
        if (withdrawn != null) {
            withdrawn.complete(answer, endNanos);
        } else {
            recording.exchange(asked, answer, startNanos, endNanos);
        }
        end();
    }

    /** Why it can't be recorded, though it is complete; null if it can. */
    public @Nullable Unrecorded unrecorded() {
        Loss loss = large == null ? null : large.loss();
        return loss != null ? Unrecorded.of(loss) : tooLarge ? Unrecorded.TOO_LARGE : null;
    }

    /** It isn't recorded: what there is of it goes. */
    public void abandon() {
        end();
        if (large != null) {
            large.abandon();
        }
    }

    public Form form() {
        return present(form);
    }

    public HttpAnswer answer() {
        return answer(null);
    }

    /**
     * The reply; to be asked for once.
     *
     * @param pace what of the body belongs to how much of the request; null if all to all
     */
    public HttpAnswer answer(@Nullable HttpPace pace) {
        ReplyHead head = present(replyHead);
        HttpAnswer.Framing framing = HttpAnswer.Framing.of(request.head().method(), head);
        LargeBody rest = large == null ? null : large.finish();
        return new HttpAnswer(taken(head), body.toByteArray(), trailers, framing, interim, pace, rest);
    }

    private ReplyHead taken(ReplyHead head) {
        return OwnAddress.taken(head, request.head().first("host"));
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the exchange isn't complete");
        }
        return value;
    }
}
