package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpExchange;
import dev.understudy.aggregator.http.LiveBody;
import dev.understudy.aggregator.http.grpc.GrpcForms;
import dev.understudy.aggregator.http.grpc.GrpcMessages;
import dev.understudy.aggregator.http.grpc.GrpcPace;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One of production's streams, up to its record. Confined to its connection. */
final class Http2Exchange {
    private final HttpExchange exchange;
    private final @Nullable GrpcPace pace;
    private boolean requestEnded;
    private boolean replyEnded;

    Http2Exchange(HttpExchange exchange) {
        this.exchange = exchange;
        this.pace = GrpcMessages.isGrpc(exchange.request().head().headers()) ? new GrpcPace() : null;
    }

    HttpExchange http() {
        return exchange;
    }

    void request(ByteBuffer content) {
        GrpcPace paced = pace;
        if (paced != null && !requestEnded) {
            paced.request(content);
            if (paced.isCrowded()) {
                overflow(paced);
            }
        }
        exchange.request().body(content);
    }

    void requestEnd() {
        if (!requestEnded) {
            requestEnded = true;
            exchange.requestComplete();
            if (pace != null) {
                if (pace.isInFile() && !pace.isAnswered()) {
                    exchange.unfile();
                }
                pace.requestEnd();
            }
        }
    }

    void reply(ByteBuffer content) {
        GrpcPace paced = pace;
        if (paced == null) {
            exchange.replyBody(content);
            return;
        }
        paced.answered();
        if (paced.isConversation()
                && !paced.isInFile()
                && (paced.isCrowded() || !exchange.hasRoom(content.remaining()))) {
            overflow(paced);
        }
        if (paced.isInFile()) {
            paced.write(content);
        } else {
            exchange.replyBody(content);
            paced.reply(exchange.bodyBytes());
        }
    }

    /** What is to come of a conversation goes to files, with what has come by now. */
    private void overflow(GrpcPace paced) {
        BodyWriter file = paced.isInFile() || paced.tooLong() ? null : exchange.file();
        if (file != null) {
            paced.moveTo(file, exchange.takeBody());
        } else if (!paced.isInFile()) {
            paced.giveUp();
        }
    }

    void replyEnd() {
        replyEnded = true;
        exchange.replyComplete();
        if (pace != null) {
            pace.answered();
            if (!pace.isInFile()) {
                pace.reply(exchange.bodyBytes());
            }
        }
    }

    /** Lets the debug JVM have the reply while it comes, unless it may depend on what the client has yet to say. */
    void offer(Recording<HttpAnswer> recording, long now) {
        if (requestEnded && (pace == null || !pace.isConversation()) && !target().startsWith(GrpcForms.HEALTH)) {
            if (pace != null && exchange.answered()) {
                recording.share(GrpcForms.waits(target()), true);
            }
            exchange.offer(recording, now);
        }
    }

    private String target() {
        return exchange.request().head().target();
    }

    /**
     * Whether nothing more is to come of it that its record needs: gRPC doesn't wait for what production still says.
     */
    boolean complete() {
        return exchange.complete() || (pace != null && replyEnded);
    }

    long heldBytes() {
        return exchange.heldBytes() + (pace == null ? 0 : pace.heldBytes());
    }

    /** Records it; it is {@link #complete}. */
    void record(Recording<HttpAnswer> recording, long now) {
        record(recording, now, true);
    }

    /**
     * Production has given the call up: what it had got by then is recorded, if it is one of gRPC and had got
     * something.
     */
    void cancelled(Recording<HttpAnswer> recording, long now) {
        if (exchange.given(LiveBody.Ending.LEFT)) {
            exchange.end();
        } else if (pace != null && pace.isAnswered() && exchange.answered()) {
            record(recording, now, false);
        } else {
            unfinished(recording, LiveBody.Ending.LEFT);
        }
    }

    /** It ends without being {@link #complete}. */
    void unfinished(Recording<HttpAnswer> recording, LiveBody.Ending how) {
        exchange.unfinished(recording, how);
    }

    private void record(Recording<HttpAnswer> recording, long now, boolean ends) {
        if (exchange.given(LiveBody.Ending.WHOLE)) {
            exchange.end();
            return;
        }
        GrpcPace paced = pace;
        boolean conversation = paced != null && paced.isConversation();
        Unrecorded why =
                paced != null && conversation && paced.tooLong() ? Unrecorded.TOO_LARGE : exchange.unrecorded();
        if (why != null) {
            exchange.abandon();
            recording.dropped(why, 1);
        } else if (paced != null && conversation && !paced.opensWithReply() && !paced.hasMessages()) {
            exchange.abandon();
            recording.dropped(Unrecorded.INCOMPLETE, 1);
        } else {
            HttpAnswer answer = exchange.answer(paced != null && (conversation || !ends) ? paced.pace(ends) : null);
            share(recording, conversation, answer);
            exchange.record(recording, form(conversation), answer, now);
        }
    }

    private Form form(boolean conversation) {
        if (pace == null || !conversation) {
            return exchange.form();
        }
        return pace.opensWithReply()
                ? GrpcForms.opening(exchange.request())
                : GrpcForms.begun(exchange.request(), pace.firstMessages());
    }

    private void share(Recording<HttpAnswer> recording, boolean conversation, HttpAnswer answer) {
        RequestHead head = exchange.request().head();
        GrpcPace pace = this.pace;
        if (pace == null) {
            return;
        }
        if (conversation) {
            int after = GrpcForms.after(pace.firstMessages());
            recording.share(GrpcForms.talks(head.target()), after, (known, added) -> known | added);
            if (pace.opensWithReply()) {
                recording.share(GrpcForms.opens(head.target()), true);
            }
        } else {
            recording.share(GrpcForms.waits(head.target()), true);
            boolean whole = answer.pace() == null && answer.large() == null;
            if (whole && head.target().startsWith(GrpcForms.HEALTH) && pace.hasMessages()) {
                recording.share(GrpcForms.health(head.target(), pace.firstMessages()), answer);
            }
        }
    }
}
