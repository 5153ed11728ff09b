package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.Match;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks for one request whose recorded twin may have one of several forms, which become known one after another: the
 * first reply of any of them is taken, and it is a miss once none is waited for. Counted as one request. Confined to
 * {@code caller}.
 */
public final class MultiFormLookup<R extends RecordedReply> {
    private final UpstreamReplay<R> replay;
    private final EventExecutor caller;
    private final Consumer<Match<R>> then;
    private final List<PendingRequest> waiting = new ArrayList<>();
    private int open;
    private boolean asked;
    private boolean more;
    private boolean over;

    /**
     * Asks for nothing yet.
     *
     * @param caller the connection's event loop, on which {@code then} is told exactly once, unless this is cancelled
     *     before
     */
    public MultiFormLookup(UpstreamReplay<R> replay, EventExecutor caller, Consumer<Match<R>> then) {
        this.replay = replay;
        this.caller = caller;
        this.then = then;
    }

    /** Some more forms that the request may have; each is waited for as long as configured. */
    public void forms(List<Form> forms) {
        if (over || forms.isEmpty()) {
            return;
        }
        if (!asked) {
            asked = true;
            replay.asked();
        }
        open += forms.size();
        for (Form form : forms) {
            if (!over) {
                waiting.add(replay.look(form, caller, match -> settle(form, match)));
            }
        }
    }

    /**
     * Whether the request may get further forms yet: as long as it may, it isn't a miss. To be said before the forms by
     * which that changes, which are the last if there are none to come.
     */
    public void expectMore(boolean wanted) {
        more = wanted;
    }

    /** Nobody waits for an answer any more. */
    public void cancel() {
        over = true;
        waiting.forEach(PendingRequest::cancel);
        waiting.clear();
    }

    private void settle(Form form, Match<R> match) {
        open--;
        if (over || (match instanceof Match.Miss<R> && (open > 0 || more))) {
            return;
        }
        over = true;
        waiting.forEach(PendingRequest::cancel);
        waiting.clear();
        then.accept(replay.concluded(form, match));
    }
}
