package dev.understudy.observatory.event;

import dev.understudy.divergence.compare.raw.ReplyOpening;
import dev.understudy.observatory.event.SourceCounts.Omission;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The exchanges of one connection: those of HTTP/1 as it frames them, else its turns. A turn is what the client says
 * until it is answered, and ends with the last bytes of the answer. Confined to one thread.
 */
final class ConnectionExchanges {
    private static final String NO_WORD = "(turn)";

    /** How the connection's bytes are read. */
    private enum Mode {
        /** Neither a request's head nor anything else is whole yet. */
        UNDECIDED,
        HTTP,
        TURNS,
        /** Something is missing, or can't be framed: nothing that follows counts. */
        GIVEN_UP
    }

    private final String tier;
    private final long connection;
    private final TierSink sink;
    private final SourceCounts counts;
    private final HttpExchanges http = new HttpExchanges(this);
    private Mode mode = Mode.UNDECIDED;
    private ReplyOpening opening = new ReplyOpening(ReplyOpening.LONGEST_WORD + 1);
    private boolean asked;
    private boolean answered;
    private long now;
    private long turnStart;
    private long turnEnd;
    private long requestBytes;
    private long replyBytes;

    ConnectionExchanges(String tier, long connection, TierSink sink, SourceCounts counts) {
        this.tier = tier;
        this.connection = connection;
        this.sink = sink;
        this.counts = counts;
    }

    /** When what comes next happened, epoch microseconds. */
    void at(long micros) {
        now = micros;
    }

    void request(ByteBuffer bytes) throws IOException {
        if (mode == Mode.UNDECIDED || mode == Mode.TURNS) {
            turnRequest(bytes);
        }
        if (mode == Mode.UNDECIDED || mode == Mode.HTTP) {
            http.request(bytes, now);
            decide();
        }
    }

    void reply(ByteBuffer bytes) throws IOException {
        if (mode == Mode.UNDECIDED && asked) {
            step(Mode.TURNS);
        }
        if (mode == Mode.TURNS && asked) {
            answered = true;
            turnEnd = now;
            replyBytes += bytes.remaining();
        } else if (mode == Mode.HTTP) {
            http.reply(bytes, now);
            decide();
        }
    }

    void replyEnd() throws IOException {
        if (mode == Mode.HTTP) {
            http.replyEnd(now);
            decide();
        }
    }

    private void decide() throws IOException {
        if (mode == Mode.UNDECIDED && http.begun()) {
            step(Mode.HTTP);
        } else if (mode == Mode.UNDECIDED && http.gaveUp()) {
            step(Mode.TURNS);
        } else if (mode == Mode.HTTP && http.gaveUp()) {
            counts.omitted(Omission.UNFRAMED, 1);
            step(Mode.GIVEN_UP);
        }
        http.pass();
    }

    private void turnRequest(ByteBuffer bytes) throws IOException {
        if (!asked || answered) {
            endTurn();
            asked = true;
            answered = false;
            turnStart = now;
            requestBytes = 0;
            replyBytes = 0;
            opening = new ReplyOpening(ReplyOpening.LONGEST_WORD + 1);
        }
        opening.add(bytes);
        requestBytes += bytes.remaining();
    }

    private void endTurn() throws IOException {
        if (asked && answered) {
            String word = opening.word();
            pass(word.isEmpty() ? NO_WORD : word, turnStart, turnEnd, requestBytes, replyBytes, 0, false);
        }
    }

    /** What was recorded has a hole. */
    void lost() throws IOException {
        if (mode != Mode.GIVEN_UP) {
            counts.omitted(Omission.INCOMPLETE, 1);
            end();
        }
    }

    /** Nothing follows. */
    void end() throws IOException {
        if (mode == Mode.TURNS || mode == Mode.UNDECIDED) {
            endTurn();
            counts.omitted(Omission.UNANSWERED, asked && !answered ? 1 : 0);
        } else if (mode == Mode.HTTP) {
            counts.omitted(Omission.UNANSWERED, http.unanswered().size());
        }
        step(Mode.GIVEN_UP);
    }

    private void step(Mode next) {
        boolean legal = next == Mode.GIVEN_UP || mode == Mode.UNDECIDED;
        if (!legal) {
            throw new IllegalStateException(mode + " to " + next);
        }
        mode = next;
    }

    void pass(String route, long start, long end, long request, long reply, int status, boolean sure)
            throws IOException {
        if (end < start) {
            counts.omitted(Omission.BACKWARDS, 1);
            return;
        }
        TierExchange exchange = new TierExchange(tier, route, connection, start, end, request, reply, status, sure);
        counts.took(exchange);
        sink.add(exchange);
    }
}
