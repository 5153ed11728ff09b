package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpPace;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.replay.MultiFormLookup;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.http.Header;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers one gRPC call of the debug JVM, whether it turns out to be a {@linkplain GrpcConversation conversation} or
 * not. Confined to the connection's event loop.
 */
public final class GrpcCall {
    private final UpstreamHttpRequest request;
    private final UpstreamReplay<HttpAnswer> replay;
    private final EventExecutor loop;
    private final Out out;
    private final SaidAhead said = new SaidAhead();
    private final GrpcMessages messages = new GrpcMessages(said::add);
    private final String path;
    private @Nullable MultiFormLookup<HttpAnswer> ask;
    private @Nullable PendingRequest held;
    private @Nullable GrpcConversation conversation;
    private @Nullable Form whole;
    private int askedForFirst;
    private boolean askedForAll;
    private boolean admitted;
    private boolean ended;
    private boolean over;
    private List<String> faults = List.of();

    /** Where the reply goes. */
    public interface Out {
        /** The reply begins with this head. */
        void begin(HttpAnswer answer);

        /** The next bytes of the body, which are its to release. */
        void body(ByteBuf bytes);

        /** So much for now. */
        void flush();

        /** Whether there should be more, as long as the client reads. */
        boolean writable();

        /** Whether the client may go on saying its part. */
        void listen(boolean on);

        /** The rest can't be told. */
        void abort();

        /** The reply ends, after its body if it has one. */
        void end(List<Header> trailers);

        /** The whole reply at once. */
        void whole(HttpAnswer answer);
    }

    public GrpcCall(UpstreamHttpRequest request, UpstreamReplay<HttpAnswer> replay, EventExecutor loop, Out out) {
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
        boolean talks = talks() != 0;
        boolean waits = known(GrpcForms.waits(path));
        if ((talks || !waits) && said.first().length > 0 && !answersHere()) {
            admit();
        }
        if (conversation == null) {
            out.listen(over || !talks || waits || !said.full());
        }
        flow();
    }

    /** The request is complete. */
    public void end() {
        ended = true;
        if (answersHere()) {
            answerHere();
            return;
        }
        if (conversation != null) {
            conversation.ended();
        }
        admit();
        flow();
    }

    /** Memory that what was said takes. */
    public long heldBytes() {
        return said.heldBytes();
    }

    /** The client reads on. */
    public void flow() {
        if (conversation != null) {
            conversation.flow();
        }
    }

    /** The client has given the call up. */
    public void cancel() {
        over = true;
        if (conversation != null) {
            conversation.close();
        }
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
        return path.startsWith(GrpcForms.HEALTH) || (path.startsWith(GrpcForms.REFLECTION) && talks() == 0);
    }

    private void answerHere() {
        byte[] asked = said.first();
        HttpAnswer last = path.startsWith(GrpcForms.HEALTH) && asked.length > 0
                ? replay.known(GrpcForms.health(path, asked), HttpAnswer.class)
                : null;
        if (last != null) {
            replay.local();
            whole(last.to(request.head().first("host")));
        } else {
            String why = "production has asked for no " + path;
            replay.refused(shown(), why);
            whole(GrpcStatus.unimplemented(why));
        }
    }

    private void admit() {
        if (over || conversation != null) {
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
            whole(GrpcStatus.fault(error, injection));
        } else if (!over) {
            ask();
        }
    }

    private Form shown() {
        if (ended) {
            return whole();
        }
        byte[] first = said.first();
        return first.length == 0 ? GrpcForms.opening(request) : GrpcForms.begun(request, first);
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
        boolean beginnings = !ended || talks() != 0;
        if (ended && !askedForAll) {
            askedForAll = true;
            forms.add(whole());
        }
        int messages = said.first().length / GrpcMessages.HASH;
        while (beginnings && askedForFirst < messages) {
            askedForFirst++;
            byte[] first = Arrays.copyOf(said.first(), askedForFirst * GrpcMessages.HASH);
            forms.add(GrpcForms.begun(request, first));
        }
        if (beginnings && (known(GrpcForms.opens(path)) && ask == null)) {
            forms.add(GrpcForms.opening(request));
        }
        if (ask == null) {
            ask = new MultiFormLookup<>(replay, loop, this::settled);
        }
        ask.expectMore(!ended && talksOnlyAfterMoreThan(messages));
        ask.forms(forms);
    }

    /** Whether production's reply has begun after more messages than these, and never after these. */
    private boolean talksOnlyAfterMoreThan(int messages) {
        int seen = talks() >> messages;
        return seen > 1 && (seen & 1) == 0;
    }

    /** After which numbers of messages replies of this path have begun, a bit for each; 0 if it is no conversation. */
    private int talks() {
        Integer seen = replay.known(GrpcForms.talks(path), Integer.class);
        return seen == null ? 0 : seen;
    }

    private void settled(Match<HttpAnswer> match) {
        if (match instanceof Match.Hit<HttpAnswer> hit) {
            HttpAnswer recorded = hit.recorded().reply();
            HttpAnswer found = recorded.to(request.head().first("host")).marked(faults);
            HttpPace pace = found.pace();
            if (pace == null || !pace.isConversation()) {
                whole(found);
            } else {
                converse(found);
            }
        } else {
            Match.Miss<HttpAnswer> miss = (Match.Miss<HttpAnswer>) match;
            whole(GrpcStatus.miss(miss.form().text(), miss.why(), miss.nearest()));
        }
    }

    private void whole(HttpAnswer answer) {
        over = true;
        said.forget();
        out.listen(true);
        out.whole(answer);
    }

    private void converse(HttpAnswer answer) {
        GrpcConversation begun = new GrpcConversation(answer, said, loop, out, this::diverged);
        conversation = begun;
        if (ended) {
            begun.ended();
        }
        begun.flow();
    }

    /** Goes another way than production's call; what was told by now was right. */
    private void diverged(String why) {
        over = true;
        Form form = shown();
        Match.Miss<HttpAnswer> miss = replay.notLearned(form, why, 0);
        if (Objects.requireNonNull(conversation).begun()) {
            out.end(GrpcStatus.trailers(form.text(), why));
        } else {
            out.whole(GrpcStatus.miss(form.text(), why, miss.nearest()));
        }
    }
}
