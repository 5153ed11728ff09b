package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Taking;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.Pace;
import dev.understudy.aggregator.http.form.HttpRequest;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.replay.Ask;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.divergence.wire.http.Header;
import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers one gRPC call of the debug JVM, a conversation at the pace at which the debug JVM says its part.
 *
 * <p>Of a reply that production had while it was still talking, so much is told as production had got when it had sent the
 * messages that debug has sent by now. Confined to the connection's event loop.
 */
public final class GrpcCall {
    private final HttpRequest request;
    private final Replay<HttpAnswer> replay;
    private final EventExecutor loop;
    private final Out out;
    private final GrpcMessages messages = new GrpcMessages();
    private final String path;
    private @Nullable Ask<HttpAnswer> ask;
    private @Nullable Taking held;
    private @Nullable HttpAnswer answer;
    private @Nullable Form whole;
    private boolean askedForBeginnings;
    private boolean askedForAll;
    private boolean admitted;
    private boolean ended;
    private boolean over;
    private boolean begun;
    private int told;
    private int released;
    private int compared;
    private List<String> faults = List.of();

    /** Where the reply goes. */
    public interface Out {
        /** The reply begins with this head. */
        void begin(HttpAnswer answer);

        /** The next bytes of the body. */
        void body(byte[] body, int from, int to);

        /** The reply ends, after its body if it has one. */
        void end(List<Header> trailers);

        /** The whole reply at once. */
        void whole(HttpAnswer answer);
    }

    public GrpcCall(HttpRequest request, Replay<HttpAnswer> replay, EventExecutor loop, Out out) {
        this.request = request;
        this.replay = replay;
        this.loop = loop;
        this.out = out;
        this.path = request.head().target();
    }

    /** The call has come, with nothing of its messages. */
    public void begin() {
        if (known(GrpcForms.opens(path))) {
            admit();
        }
    }

    /** Some of the request's bytes, which stay as they are. */
    public void body(ByteBuffer content, boolean last) {
        messages.feed(content);
        if (last) {
            return;
        }
        boolean conversation = known(GrpcForms.talks(path)) || !known(GrpcForms.waits(path));
        if (conversation && !messages.hashes().isEmpty() && !answersHere()) {
            admit();
        }
        advance();
    }

    /** The request is complete. */
    public void end() {
        ended = true;
        if (answersHere()) {
            answerHere();
            return;
        }
        admit();
        advance();
    }

    /** The client has given the call up. */
    public void cancel() {
        over = true;
        if (held != null) {
            held.cancel();
        }
        if (ask != null) {
            ask.cancel();
        }
    }

    private boolean known(String fact) {
        return replay.known(fact, Boolean.class) != null;
    }

    /** Whether this is a call that debug may make without production making it, too. */
    private boolean answersHere() {
        return path.startsWith(GrpcForms.HEALTH)
                || (path.startsWith(GrpcForms.REFLECTION) && !known(GrpcForms.talks(path)));
    }

    private void answerHere() {
        over = true;
        replay.local();
        HttpAnswer last =
                path.startsWith(GrpcForms.HEALTH) && !messages.hashes().isEmpty()
                        ? replay.known(GrpcForms.health(path, messages.hashes().get(0)), HttpAnswer.class)
                        : null;
        out.whole(
                last != null
                        ? last.to(request.head().first("host"))
                        : GrpcStatus.unimplemented("production has asked for no " + path));
    }

    private void admit() {
        if (over || answer != null) {
            return;
        }
        if (admitted) {
            ask();
        } else if (held == null) {
            held = replay.admit(this::shown, this::admitted);
        }
    }

    private void admitted(Injection injection) {
        admitted = true;
        Fault.ErrorReply error = injection.error();
        faults = injection.names();
        if (error != null) {
            over = true;
            out.whole(GrpcStatus.fault(error, injection));
        } else if (!over) {
            ask();
        }
    }

    private Form shown() {
        if (ended) {
            return whole();
        }
        List<byte[]> hashes = messages.hashes();
        return hashes.isEmpty() ? GrpcForms.opening(request) : GrpcForms.begun(request, hashes.get(0));
    }

    private Form whole() {
        Form form = whole;
        if (form == null) {
            form = request.form();
            whole = form;
        }
        return form;
    }

    /** Asks for whatever this call may be, of which it is sure by now. */
    private void ask() {
        List<Form> forms = new ArrayList<>();
        boolean beginnings = !ended || known(GrpcForms.talks(path));
        if (ended && !askedForAll) {
            askedForAll = true;
            forms.add(whole());
        }
        if (beginnings && !askedForBeginnings && !messages.hashes().isEmpty()) {
            askedForBeginnings = true;
            forms.add(GrpcForms.begun(request, messages.hashes().get(0)));
        }
        if (beginnings && (known(GrpcForms.opens(path)) && ask == null)) {
            forms.add(GrpcForms.opening(request));
        }
        if (ask == null) {
            ask = new Ask<>(replay, loop, this::settled);
        }
        if (!forms.isEmpty()) {
            ask.forms(forms);
        }
    }

    private void settled(Match<HttpAnswer> match) {
        if (match instanceof Match.Hit<HttpAnswer> hit) {
            HttpAnswer recorded = hit.recorded().reply();
            HttpAnswer found = recorded.to(request.head().first("host")).marked(faults);
            if (found.pace() == null) {
                over = true;
                out.whole(found);
            } else {
                answer = found;
                advance();
            }
        } else {
            Match.Miss<HttpAnswer> miss = (Match.Miss<HttpAnswer>) match;
            over = true;
            out.whole(GrpcStatus.miss(miss.form().text(), miss.why(), miss.nearest()));
        }
    }

    /** Tells as much of the answer as this call has earned. */
    private void advance() {
        HttpAnswer telling = answer;
        Pace pace = telling == null ? null : telling.pace();
        if (over || telling == null || pace == null) {
            return;
        }
        List<byte[]> said = messages.hashes();
        for (; compared < said.size() && compared < pace.messages().size(); compared++) {
            if (!Arrays.equals(said.get(compared), pace.messages().get(compared))) {
                diverged("message " + (compared + 1) + " isn't the one that production sent");
                return;
            }
        }
        if (onlyTrailers(telling, pace) && earned(pace.releases().get(0), said.size())) {
            over = true;
            out.whole(telling);
            return;
        }
        while (released < pace.releases().size() && earned(pace.releases().get(released), said.size())) {
            release(telling, pace.releases().get(released++).upTo());
        }
        if (released == pace.releases().size()) {
            if (pace.ends()) {
                over = true;
                out.end(telling.trailers());
            }
        } else if (said.size() > pace.messages().size()) {
            diverged("production sent " + pace.messages().size() + " messages");
        } else if (ended && !earned(pace.releases().get(released), said.size())) {
            diverged("production sent more than " + said.size() + " messages");
        }
    }

    /** A head that is the end, too: gRPC's clients take no other end without trailers. */
    private static boolean onlyTrailers(HttpAnswer answer, Pace pace) {
        return pace.ends()
                && pace.releases().size() == 1
                && answer.body().length == 0
                && answer.trailers().isEmpty();
    }

    private boolean earned(Pace.Release release, int said) {
        return said >= release.messages() && (ended || !release.ended());
    }

    private void release(HttpAnswer telling, int upTo) {
        if (!begun) {
            begun = true;
            out.begin(telling);
        }
        if (upTo > told) {
            out.body(telling.body(), told, upTo);
            told = upTo;
        }
    }

    /** Goes another way than production's call; what was told by now was right. */
    private void diverged(String why) {
        over = true;
        Form form = shown();
        Match.Miss<HttpAnswer> miss = replay.notLearned(form, why, 0);
        if (begun) {
            out.end(GrpcStatus.trailers(form.text(), why));
        } else {
            out.whole(GrpcStatus.miss(form.text(), why, miss.nearest()));
        }
    }
}
