package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives the answers that are given message by message, those to COPY above all: to STDOUT they are the data; FROM STDIN
 * they ask for the client's, and what is answered to that is found by what it was. Confined to the connection's event
 * loop.
 */
final class Copies {
    private final PgAnswers answers;
    private final PgOutlet outlet;
    private final Runnable done;
    private @Nullable CopiedData data;
    private PgSessionState asking = new PgSessionState("", "", "");
    private String asked = "";
    private Consumer<@Nullable PgMessage> then = error -> {};

    /** @param done ends a message of the client's that isn't the last of its request */
    Copies(PgAnswers answers, PgOutlet outlet, Runnable done) {
        this.answers = answers;
        this.outlet = outlet;
        this.done = done;
    }

    /** Whether the client is to send data now. */
    boolean takes() {
        return data != null;
    }

    /**
     * Gives the answer to one statement.
     *
     * @param whenDone is told the error that is to be its end, or null; where data is wanted, once that has come
     */
    void give(PgScript script, PgSessionState state, String sql, Consumer<@Nullable PgMessage> whenDone) {
        write(script, sql, last -> {
            if (last != null && last.type() == 'G') {
                outlet.flush();
                data = new CopiedData();
                asking = state;
                asked = sql;
                then = whenDone;
                done.run();
            } else {
                whenDone.accept(last != null && last.type() == 'E' ? last : null);
            }
        });
    }

    /** A CopyData, CopyDone or CopyFail has come; outside a COPY it is nothing. */
    void take(PgMessage message) {
        CopiedData known = data;
        if (known == null) {
            done.run();
            return;
        }
        known.add(message);
        if (!known.ended()) {
            done.run();
            return;
        }
        data = null;
        answers.more(known.form(asking, asked), answer -> {
            if (answer instanceof PgAnswer.Verbatim verbatim) {
                List<PgMessage> messages = verbatim.script().messages();
                write(messages, 0, last -> then.accept(last != null && last.type() == 'E' ? last : null));
            } else {
                then.accept(
                        answer instanceof PgAnswer.Refusal refusal
                                ? refusal.error()
                                : answers.unfit(asked, "it is no answer to data"));
            }
        });
    }

    /** Something has come that has no place among data: that ends the COPY, as the server would. */
    void refuse() {
        data = null;
        then.accept(PgErrors.error("08P01", "unexpected message type during COPY from stdin", null, null));
    }

    /**
     * Writes all messages but an error at the end, those that lie in files where they belong.
     *
     * @param whenWritten is told the last one, or the error that is to be the end instead
     */
    void write(PgScript script, String sql, Consumer<@Nullable PgMessage> whenWritten) {
        List<PgMessage> messages = script.messages();
        LargeBody body = script.large();
        if (body == null) {
            write(messages, 0, whenWritten);
            return;
        }
        int before = Math.max(0, messages.size() - script.largeAt());
        LargeMessages large = new LargeMessages(body, outlet, LargeMessages.HELD);
        Runnable rest = () -> write(messages.subList(before, messages.size()), 0, whenWritten);
        write(messages.subList(0, before), 0, none -> pump(large, sql, rest, whenWritten));
    }

    private void pump(LargeMessages large, String sql, Runnable rest, Consumer<@Nullable PgMessage> whenWritten) {
        if (!large.hasNext()) {
            rest.run();
            return;
        }
        large.next(run -> {
            byte[] stretch = run == null ? null : run.stretch();
            Runnable on = () -> pump(large, sql, rest, whenWritten);
            if (run == null) {
                PgMessage error = answers.unfit(sql, LargeMessages.LOST);
                if (large.within()) {
                    outlet.close(); // there is no place for an error
                } else {
                    whenWritten.accept(error);
                }
            } else if (stretch != null) {
                outlet.write(stretch);
                if (!outlet.full() || !outlet.waits(on)) {
                    on.run();
                }
            } else {
                write(run.messages(), 0, last -> on.run());
            }
        });
    }

    /** Writes all but an error at the end, as fast as the client reads; then tells the last message. */
    private void write(List<PgMessage> messages, int from, Consumer<@Nullable PgMessage> whenWritten) {
        for (int i = from; i < messages.size(); i++) {
            PgMessage message = messages.get(i);
            if (message.type() != 'E') {
                outlet.write(message);
            }
            int next = i + 1;
            if (outlet.full() && outlet.waits(() -> write(messages, next, whenWritten))) {
                return;
            }
        }
        whenWritten.accept(messages.isEmpty() ? null : messages.get(messages.size() - 1));
    }
}
