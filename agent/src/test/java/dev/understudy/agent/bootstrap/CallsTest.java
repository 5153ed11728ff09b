package dev.understudy.agent.bootstrap;

import io.grpc.Metadata;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class CallsTest {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    private final int probe = Probes.CAPACITY / 2 + 61;
    private final int other = Probes.CAPACITY / 2 + 62;
    private final Object listener = new Object();

    @Test
    void whatTheTransportTellsOf_isDoneForTheCall_untilItIsClosed() throws Exception {
        bring(metadata(HEADER));
        assertThat(ServedExchanges.current()).as("it goes on to others").isNull();
        tell(listener, () -> Probes.exit(Probes.enter(probe)));
        tell(listener, () -> Probes.exit(Probes.enter(other)));
        assertThat(Observations.poll()).isNull();
        close(listener);

        Observed observed = Objects.requireNonNull(Observations.poll());
        assertThat(observed.span()).isEqualTo(SPAN);
        assertThat(observed.predicates()).contains(probe * 16, other * 16);
        assertThat(observed.whole()).isTrue();
        tell(listener, () -> Probes.exit(Probes.enter(probe)));
        assertThat(Observations.poll()).as("it is over").isNull();
    }

    @Test
    void whatTheTransportHasRead_isNoExchange() throws Exception {
        Object socket = new Object();
        Sockets.accepted(socket, 4711);
        Sockets.read(100, Sockets.reading(socket));
        bring(metadata(HEADER));
        assertThat(ServedExchanges.current()).isNull();
        Sockets.read(100, Sockets.reading(socket));
        Handover.end(Calls.tell(listener));
        assertThat(ServedExchanges.current()).isNull();
        close(listener);

        assertThat(Objects.requireNonNull(Observations.poll()).whole()).isTrue();
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void withoutATrace_noCallBegins() {
        assertThat(Calls.bring(new Metadata())).isNull();
        assertThat(Calls.bring("of another kind")).isNull();
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aCallWithinAnother_doesNotEndThat() throws Exception {
        Object inner = new Object();
        bring(metadata(HEADER));
        tell(listener, () -> {
            Calls.brought(Calls.bring(new Metadata()));
            Calls.listened(inner);
            Runnable last = Calls::closed;
            Object closing = Calls.close(inner);
            Handover.handed(last);
            Handover.end(closing);
            Handover.run(last);
        });
        assertThat(Observations.poll()).isNull();
        close(listener);
        assertThat(Observations.poll()).isNotNull();
    }

    @Test
    void aCallThatNobodyListensTo_isOverAtOnce() {
        Calls.brought(Calls.bring(metadata(HEADER)));
        assertThat(Observations.poll()).isNotNull();
    }

    @Test
    void aCallThatFailsAtOnce_isOverWithWhatWasThrown() {
        Object call = Calls.bring(metadata(HEADER));
        Calls.listened(listener);
        Calls.thrown(new IllegalStateException("full"), call);
        assertThat(Objects.requireNonNull(Observations.poll()).escaped()).contains("IllegalStateException");
    }

    /** As a transport's thread does. */
    private void bring(Metadata metadata) {
        Object call = Calls.bring(metadata);
        Calls.listened(listener);
        Calls.listened(listener);
        Calls.brought(call);
    }

    /** What the listener hands to the call's executor does this work, on a thread of that. */
    private static void tell(Object listener, Runnable work) throws InterruptedException {
        Object telling = Calls.tell(listener);
        Handover.handed(work);
        Handover.end(telling);
        OtherThreads.onAnotherStripe(() -> Handover.run(work));
    }

    private static void close(Object listener) throws InterruptedException {
        Runnable last = Calls::closed;
        Object closing = Calls.close(listener);
        Handover.handed(last);
        Handover.end(closing);
        OtherThreads.onAnotherStripe(() -> Handover.run(last));
    }

    private static Metadata metadata(String traceparent) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), traceparent);
        return metadata;
    }
}
