package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reply to one request of the simple protocol or to one function call, while it comes in. */
final class PgStatementScript {
    private static final int PER_MESSAGE = 56;
    private static final int PART = 1 << 20;

    final List<PgMessage> messages = new ArrayList<>();
    boolean copying;
    final Overflow overflow = new Overflow();

    /** How many messages had come before those that went to files. */
    int before;

    private boolean one;
    private boolean several;

    private final Allowance allowance;
    private long held;
    private boolean tooLarge;

    PgStatementScript(Allowance allowance) {
        this.allowance = allowance;
    }

    void add(PgMessage message) {
        long bytes = (long) PER_MESSAGE + message.body().length;
        if (tooLarge || copying) {
            return;
        }
        if (!allowance.take(bytes)) {
            lose();
            return;
        }
        held += bytes;
        messages.add(message);
        several |= one && overflow.any() && "TH".indexOf(message.type()) >= 0;
    }

    /**
     * Has rows and data so far go to files; of several statements, all but the last message behind the first row.
     *
     * @param only whether it is one statement that is answered
     */
    void spill(LargeBodies bodies, boolean only) {
        if (!tooLarge && !copying && (held >= PART || overflow.any())) {
            move(bodies, only, messages.size() - 1);
        }
    }

    /**
     * Has the next row, piece of a COPY, or value of a function go to files as it comes, behind what belongs there of
     * what came before.
     *
     * @param only whether it is one statement that is answered
     */
    MessageTaker large(LargeBodies bodies, boolean only, char type, int length) {
        move(bodies, only, messages.size());
        if (!overflow.any()) {
            before = messages.size();
        }
        return WireMessages.taker(type, length, overflow.into(bodies));
    }

    private void move(LargeBodies bodies, boolean only, int end) {
        one = only;
        boolean first = !overflow.any();
        List<PgMessage> rows =
                messages.stream().filter(PgStatementScript::isData).toList();
        int begin = first && !rows.isEmpty() ? messages.indexOf(rows.get(0)) : before;
        List<PgMessage> moved = one ? rows : List.copyOf(messages.subList(begin, Math.max(begin, end)));
        if (moved.isEmpty() || (rows.isEmpty() && first) || several) {
            return;
        }
        WireMessages.write(moved, overflow.into(bodies));
        before = begin;
        if (one) {
            messages.removeIf(PgStatementScript::isData);
        } else {
            messages.subList(begin, end).clear();
        }
        allowance.giveBack(held);
        held = 0;
        messages.forEach(message -> held += PER_MESSAGE + message.body().length);
        allowance.take(held);
    }

    private static boolean isData(PgMessage message) {
        return message.type() == 'D' || message.type() == 'd';
    }

    /** Whether so much is held that rows should go. */
    boolean full() {
        return held >= PART;
    }

    /** Whether there were several results of what was taken for one statement. */
    boolean mixed() {
        return several;
    }

    void lose() {
        tooLarge = true;
        release();
    }

    boolean tooLarge() {
        return tooLarge;
    }

    void release() {
        overflow.abandon();
        messages.clear();
        allowance.giveBack(held);
        held = 0;
    }

    List<PgMessage> ofType(char type) {
        return messages.stream().filter(m -> m.type() == type).toList();
    }

    /** The only message that ends a statement; null if there are several or none. */
    @Nullable
    PgMessage onlyEnd() {
        List<PgMessage> ends =
                messages.stream().filter(m -> "CIE".indexOf(m.type()) >= 0).toList();
        return ends.size() == 1 ? ends.get(0) : null;
    }
}
