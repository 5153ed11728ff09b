package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reply to one request of the simple protocol or to one function call, while it comes in. */
final class Script {
    private static final int PER_MESSAGE = 56;
    private static final int PART = 1 << 20;

    final List<PgMessage> messages = new ArrayList<>();
    boolean copying;
    final Overflow overflow = new Overflow();

    /** How many messages had come before those that went to files. */
    int before;

    private boolean several;

    private final Allowance allowance;
    private long held;
    private boolean tooLarge;

    Script(Allowance allowance) {
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
        several |= overflow.any() && "TH".indexOf(message.type()) >= 0;
    }

    /** Has rows and data so far go to files, if they are of one statement. */
    void spill(LargeBodies bodies) {
        if (tooLarge || copying || (held < PART && !overflow.any())) {
            return;
        }
        List<PgMessage> moved = messages.stream()
                .filter(message -> "Dd".indexOf(message.type()) >= 0)
                .toList();
        boolean first = !overflow.any();
        if (moved.isEmpty() || (first && onlyEnd() != null) || several) {
            return;
        }
        WireMessages.write(moved, overflow.into(bodies));
        if (first) {
            before = messages.indexOf(moved.get(0));
        }
        messages.removeIf(message -> "Dd".indexOf(message.type()) >= 0);
        allowance.giveBack(held);
        held = 0;
        messages.forEach(message -> held += PER_MESSAGE + message.body().length);
        allowance.take(held);
    }

    /** Whether so much is held that rows should go. */
    boolean full() {
        return held >= PART;
    }

    /** Whether there were several results, of which one has gone to files. */
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
