package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpPace;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a recorded conversation to the debug JVM: so much as production had got when it had sent the messages that
 * debug has sent by now, and no faster than that is read. Confined to the connection's event loop.
 */
final class GrpcConversation {
    private final HttpAnswer answer;
    private final boolean ends;
    private final SaidAhead said;
    private final GrpcCall.Out out;
    private final Consumer<String> diverged;
    private final Steps steps;
    private @Nullable GrpcStep step;
    private int compared;
    private boolean ended;
    private boolean begun;
    private boolean flowing;
    private boolean over;

    /**
     * Begins at {@link #flow}.
     *
     * @param said what debug says
     * @param diverged is told once why debug's conversation isn't production's; what was told by then was right
     */
    GrpcConversation(
            HttpAnswer answer, SaidAhead said, EventExecutor loop, GrpcCall.Out out, Consumer<String> diverged) {
        HttpPace pace = Objects.requireNonNull(answer.pace());
        this.answer = answer;
        this.ends = pace.ends();
        this.said = said;
        this.out = out;
        this.diverged = diverged;
        this.steps = answer.large() == null
                ? new HeldSteps(pace, answer.body())
                : new FiledSteps(answer.large(), loop, this::flow);
    }

    /** Debug has said all. */
    void ended() {
        ended = true;
    }

    /** Whether the reply has begun. */
    boolean begun() {
        return begun;
    }

    /** Goes on as far as it may; to be called whenever debug has said something, or has become ready for more. */
    void flow() {
        if (flowing) {
            return; // what is written may change whether more may be
        }
        flowing = true;
        while (!over) {
            step = step == null ? steps.next() : step;
            if (step == null || !take(step)) {
                break;
            }
            step = null;
        }
        flowing = false;
        out.flush();
        out.listen(over || !said.full());
    }

    /** Returns false if it has to wait, or is over. */
    private boolean take(GrpcStep now) {
        if (now instanceof GrpcStep.Said production) {
            return compare(production.hash());
        }
        if (now instanceof GrpcStep.Told told) {
            return tell(told);
        }
        if (now instanceof GrpcStep.Ended) {
            if (!said.isEmpty() || said.lost()) {
                diverge("production sent " + compared + " messages");
            }
            return ended;
        }
        if (now instanceof GrpcStep.Lost) {
            close();
            out.abort();
        } else {
            end();
        }
        return false;
    }

    private boolean compare(byte[] production) {
        byte[] debug = said.next();
        if (debug == null) {
            if (said.lost()) {
                diverge("over " + GrpcMessages.MOST + " messages were sent before production's reply was there");
            } else if (ended) {
                diverge("production sent more than " + compared + " messages");
            }
            return false;
        }
        compared++;
        if (!Arrays.equals(debug, production)) {
            diverge("message " + compared + " isn't the one that production sent");
        }
        return true;
    }

    private boolean tell(GrpcStep.Told told) {
        if (!out.writable()) {
            return false;
        }
        begin();
        out.body(told.bytes());
        return true;
    }

    private void begin() {
        if (!begun) {
            begun = true;
            out.begin(answer);
        }
    }

    private void end() {
        close();
        if (!ends) {
            return;
        }
        if (!begun && answer.trailers().isEmpty()) {
            // a head that is the end, too: gRPC's clients take no other end without trailers
            ReplyHead head = answer.head();
            out.whole(new HttpAnswer(head, new byte[0], List.of(), answer.framing()));
        } else {
            begin();
            out.end(answer.trailers());
        }
    }

    private void diverge(String why) {
        close();
        diverged.accept(why);
    }

    /** Tells no more. */
    void close() {
        if (!over) {
            over = true;
            said.forget();
            if (step instanceof GrpcStep.Told told) {
                told.bytes().release();
            }
            step = null;
            steps.close();
        }
    }
}
