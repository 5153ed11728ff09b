package dev.understudy.aggregator.postgres.record;

import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reply to one request of the simple protocol or to one function call, while it comes in. */
final class Script {
    private static final int PER_MESSAGE = 56;

    final List<PgMessage> messages = new ArrayList<>();
    boolean copying;

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
    }

    void lose() {
        tooLarge = true;
        release();
    }

    boolean tooLarge() {
        return tooLarge;
    }

    void release() {
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
