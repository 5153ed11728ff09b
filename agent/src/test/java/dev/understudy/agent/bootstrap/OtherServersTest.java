package dev.understudy.agent.bootstrap;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** As OpenTelemetry's agent calls it, with that project's own spans and contexts. */
@ExtendWith(AllObserved.class)
final class OtherServersTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String DEBUG_SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-" + TRACE + "-" + DEBUG_SPAN + "-01";

    private final Tracer tracer =
            SdkTracerProvider.builder().addSpanProcessor(new Nowhere()).build().get("test");
    private final int probe = Probes.CAPACITY / 2 + 61;

    @BeforeEach
    void use() throws ReflectiveOperationException {
        OtherServers.use(Context.class, Span.class, Roots.class);
    }

    @AfterEach
    void useNone() throws ReflectiveOperationException {
        OtherServers.use(null, null, null);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aServersSpan_isAnExchange_thatIsOverWithIt() {
        Context served = server(TraceFlags.getSampled());
        Scope scope = current(served);
        assertThat(Objects.requireNonNull(ServedExchanges.current()).traceId()).isEqualTo(TRACE);
        call();
        close(scope);
        assertThat(ServedExchanges.current()).isNull();
        assertThat(Observations.poll()).as("it goes on").isNull();

        end(served, null);

        assertThat(observed().span()).isEqualTo(DEBUG_SPAN);
    }

    @Test
    void aSpanThatEndsBeforeItsScope_endsItsExchangeThere() {
        Context served = server(TraceFlags.getSampled());
        Scope scope = current(served);
        call();
        end(served, new IllegalStateException("refused"));
        assertThat(Observations.poll()).isNull();
        close(scope);

        Observed observed = observed();
        assertThat(observed.span()).isEqualTo(DEBUG_SPAN);
        assertThat(observed.escaped()).isEqualTo("java.lang.IllegalStateException");
        assertThat(observed.whole()).isTrue();
    }

    @Test
    void whatOtherThreadsDoInItsContext_isItsOwn() throws Exception {
        Context served = server(TraceFlags.getSampled());
        close(current(served));
        elsewhere(() -> {
            Scope scope = current(served);
            call();
            ServedExchange part = Objects.requireNonNull(ServedExchanges.current());
            close(scope);
            assertThat(ServedExchanges.current()).isNull();
            return Objects.requireNonNull(part.origin).traceId();
        });
        end(served, null);

        assertThat(observed().predicates()).contains(probe * ObservedPredicate.KINDS);
        assertThat(Observations.poll()).as("one exchange").isNull();
    }

    @Test
    void spansWithinIt_changeNothing() {
        Context served = server(TraceFlags.getSampled());
        Scope scope = current(served);
        ServedExchange begun = ServedExchanges.current();
        Scope inner = current(
                served.with(tracer.spanBuilder("inner").setParent(served).startSpan()));
        assertThat(ServedExchanges.current()).isSameAs(begun);
        close(inner);
        assertThat(ServedExchanges.current()).isSameAs(begun);
        end(served, null);
        close(scope);
    }

    @Test
    void spansOfOtherKinds_andRequestsWithoutATrace_beginNothing() {
        for (Context none : new Context[] {
            begun(SpanKind.CONSUMER, remote(TraceFlags.getSampled())),
            begun(SpanKind.INTERNAL, remote(TraceFlags.getSampled())),
            begun(SpanKind.SERVER, Context.root()),
            server(TraceFlags.getDefault())
        }) {
            Scope scope = current(none);
            assertThat(ServedExchanges.current()).isNull();
            close(scope);
            end(none, null);
        }
    }

    @Test
    void aServerThatWeKnow_hasItsOwnExchange() {
        ServedExchange own = ServedExchanges.begin(HEADER);
        Scope scope = current(server(TraceFlags.getSampled()));
        assertThat(ServedExchanges.current()).isSameAs(own);
        close(scope);
        assertThat(ServedExchanges.current()).isSameAs(own);
        ServedExchanges.exit(own);
    }

    @Test
    void aServerThatWeKnow_takesItOverIfItIsEnteredLater() {
        Context served = server(TraceFlags.getSampled());
        Scope scope = current(served);
        ServedExchange begun = ServedExchanges.current();
        assertThat(ServedExchanges.begin(HEADER)).isSameAs(begun);
        assertThat(ServedExchanges.begin(HEADER)).as("an inner one").isNull();
        ServedExchanges.exit(begun);
        assertThat(observed().span()).isEqualTo(DEBUG_SPAN);
        close(scope);
        end(served, null);
        assertThat(Observations.poll()).as("one exchange").isNull();
    }

    @Test
    void anExchangeThatBeganWithBytes_isToldItsTrace_andGoesOn() {
        ServedExchange read = new ServedExchange(new ServedConnection(7), false);
        ServedExchanges.start(read);
        Context served = server(TraceFlags.getSampled());
        close(current(served));
        end(served, null);

        assertThat(ServedExchanges.current()).isSameAs(read);
        assertThat(read.key().span()).isEqualTo(DEBUG_SPAN);
        ServedExchanges.drop(read);
    }

    @Test
    void spansThatNobodyTellsTheEndOf_giveTheirPlacesBack() throws Exception {
        Context[] silent = new Context[4 * OtherServers.PLACES];
        for (int i = 0; i < silent.length; i++) {
            silent[i] = server(TraceFlags.getSampled());
            close(current(silent[i]));
        }
        Context last = server(TraceFlags.getSampled());
        Scope crowded = current(last);
        assertThat(ServedExchanges.current()).as("no room").isNull();
        close(crowded);
        for (Context one : silent) {
            Span.fromContext(one).end();
        }
        Scope scope = current(last);
        assertThat(ServedExchanges.current()).isNotNull();
        end(last, null);
        close(scope);
        for (Context one : silent) {
            OtherServers.ended(one, null);
        }
    }

    private Context server(TraceFlags flags) {
        return begun(SpanKind.SERVER, remote(flags));
    }

    private static Context remote(TraceFlags flags) {
        SpanContext parent = SpanContext.createFromRemoteParent(TRACE, DEBUG_SPAN, flags, TraceState.getDefault());
        return Context.root().with(Span.wrap(parent));
    }

    private Context begun(SpanKind kind, Context parent) {
        Span span =
                tracer.spanBuilder("GET /").setSpanKind(kind).setParent(parent).startSpan();
        return parent.with(span).with(Roots.KEY, span);
    }

    @SuppressWarnings("MustBeClosedChecker") // tests close it, with what that tells
    private static Scope current(Context context) {
        Scope scope = context.makeCurrent();
        OtherServers.changed();
        return scope;
    }

    private static void close(Scope scope) {
        scope.close();
        OtherServers.changed();
    }

    private static void end(Context context, @Nullable Throwable problem) {
        OtherServers.ended(context, problem);
        Span.fromContext(context).end();
    }

    private void call() {
        Probes.exit(Probes.enter(probe));
    }

    private static Observed observed() {
        return Objects.requireNonNull(Observations.poll());
    }

    private static void elsewhere(Callable<?> work) throws Exception {
        FutureTask<?> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.start();
        task.get();
    }

    /** Without one no spans are made. */
    private static final class Nowhere implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return true;
        }

        @Override
        public void onEnd(ReadableSpan span) {}

        @Override
        public boolean isEndRequired() {
            return false;
        }
    }

    /** What that agent keeps of each context. */
    public static final class Roots {
        static final ContextKey<Span> KEY = ContextKey.named("root");

        private Roots() {}

        public static @Nullable Span fromContextOrNull(Context context) {
            return context.get(KEY);
        }
    }
}
