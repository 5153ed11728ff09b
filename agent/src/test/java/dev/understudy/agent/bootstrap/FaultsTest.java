package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import io.grpc.Metadata;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What fails inside the agent on the application's threads costs what it was about, is counted, and goes no further.
 */
@ExtendWith(AllObserved.class)
final class FaultsTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final int probe = Probes.CAPACITY / 2 + 91;
    private int before;

    @BeforeEach
    void arm() {
        Probes.arm(probe, 1);
        Credit.set(1000);
        while (AgentFaults.take() != null) {
            // of other tests
        }
        before = AgentFaults.count();
    }

    @AfterEach
    void calm() {
        Flight.tell(new Recorder(false));
        Witness.tell(new Onlooker(false));
        Meter.allow(0, 0);
    }

    @Test
    void aFlightRecordingThatFails_costsItsEvents_andNoExchangeOrSpan() {
        Flight.tell(new Recorder(true));
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        Object sample = Probes.enter(probe);
        assertThat(exchange.observation).isNotNull();
        exchange.flight = "an event";
        flightOf(sample);
        Probes.exit(sample);
        ServedExchanges.exit(exchange);

        assertThat(Samples.poll()).as("the span").isNotNull();
        assertThat(Observations.poll()).as("what was observed").isNotNull();
        assertThat(ServedExchanges.current()).isNull();
        assertMet(4, "told");
    }

    /** As if the recorder had begun an event for the call. */
    private static void flightOf(@Nullable Object token) {
        CallSample sample = token instanceof Observation.Frame frame ? frame.sample : (CallSample) token;
        Objects.requireNonNull(sample).flight = "an event";
    }

    @Test
    void aRingThatFails_costsNoSpan() {
        Witness.tell(new Onlooker(true));
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Probes.exit(Probes.enter(probe));
        ServedExchanges.exit(exchange);

        assertThat(Samples.poll()).isNotNull();
        assertMet(1, "told");
    }

    @Test
    void aMeterThatFails_costsTheSample_andTheCallGoesOn() {
        new Failing().begin();
        Meter.allow(1, 500);
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Probes.exit(Probes.enter(probe));
        Probes.exit(7, Probes.enter(probe));
        ServedExchanges.exit(exchange);

        assertThat(Objects.requireNonNull(Observations.poll()).span()).isEqualTo("b7ad6b7169203331");
        assertMet(2, "read");
    }

    @Test
    void aRequestThatFailsWhenAsked_beginsNoExchange() {
        Object request = new Request();
        String words = "enter " + Request.class.getName() + " getHeader";
        assertThat(ServedExchanges.call(request, FaultsTest.class, words)).isNull();
        assertThat(ServedExchanges.current()).isNull();
        assertMet(1, "no header");
    }

    @Test
    void aSocketThatCannotBeRemembered_isAcceptedReadAndWritten() {
        Socket socket = new Unhashed();
        Sockets.accepted(socket, 4711);
        Object reading = Sockets.reading(socket);
        Sockets.read(100, reading);
        Sockets.writing(socket);

        assertThat(ServedExchanges.current()).isNull();
        assertMet(3, "no hash");
    }

    @Test
    void anObservationThatCannotBeEnded_leavesNoExchangeOnItsThread_andItsPlaceToOthers() {
        for (int i = 0; i <= Observations.MOST; i++) {
            ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
            assertThat(exchange.observation).as("exchange %d", i).isNotNull();
            exchange.pieces = new Pieces();
            broken(exchange.pieces);
            ServedExchanges.exit(exchange);

            assertThat(ServedExchanges.current()).isNull();
        }
        assertMet(Observations.MOST + 1, "");
    }

    @Test
    void aTaskWhoseObservationCannotBeEnded_leavesItsThreadToOthers() {
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        Runnable task = () -> Objects.requireNonNull(ServedExchanges.current()).piece = broken(new Pieces());
        Handover.handed(task);
        ServedExchanges.exit(exchange);
        Handover.run(task);

        assertThat(ServedExchanges.current()).isNull();
        assertMet(1, "");
    }

    @Test
    void anExchangeThatCannotBeginToBeSeen_endsAsAnyOther() {
        Serving.watch();
        ServedExchange outer = Objects.requireNonNull(ServedExchanges.begin(HEADER.replace('0', '1')));
        int place = outer.place;
        outer.place = Serving.PLACES;
        Object call = Calls.bring(metadata());
        assertMet(1, "" + Serving.PLACES);
        assertThat(ServedExchanges.current()).isSameAs(call).isNotSameAs(outer);

        Objects.requireNonNull(ServedExchanges.current()).place = -1;
        Calls.brought(call);
        assertThat(ServedExchanges.current()).isSameAs(outer);
        outer.place = place;
        ServedExchanges.exit(outer);
        assertThat(ServedExchanges.current()).isNull();
        assertThat(AgentFaults.count() - before).isEqualTo(1);
    }

    @Test
    void aCallThatCannotBeLeftToOthers_isOver_andItsThreadFree() {
        ServedExchange outer = ServedExchanges.begin(HEADER.replace('0', '1'));
        ServedExchange call = (ServedExchange) Objects.requireNonNull(Calls.bring(metadata()));
        Observation own = new Observation();
        own.start(-1, 0); // a group that there isn't
        call.observation = own;
        Calls.listened(this);
        Calls.brought(call);

        assertThat(ServedExchanges.current()).isSameAs(outer);
        assertMet(1, "-16");
        assertThat(call.ended).isTrue();
        ServedExchanges.exit(outer);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aLockThatCannotBeToldOf_isTakenAndGivenBack() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object token = Probes.enter(probe);
        Object frame = unobserved();
        Locks.calling(frame, "com.shop.Cart#add");
        assertMet(1, "thread");
        Locks.entering(this, frame, 7);
        Locks.locking(this, frame, 7);
        Locks.locked(frame, 7);
        Locks.inside(this, frame, 7);
        Locks.leaving(this, frame);
        assertMet(6, "thread");

        assertThat(ServedExchanges.current()).isSameAs(exchange);
        Locks.entering(this, token, 8);
        Probes.exit(token);
        ServedExchanges.exit(exchange);
        assertThat(Objects.requireNonNull(Observations.poll()).predicates())
                .as("what can be told of is")
                .contains((ObservedPredicate.BRANCHES + 8) * ObservedPredicate.KINDS);
        assertThat(AgentFaults.count() - before).isEqualTo(6);
    }

    @Test
    void aTaskOfUnknownCoroutines_runs() throws Exception {
        Runnable task = unknownCoroutine();
        Coroutines.run(task);

        assertThat(task.hashCode()).as("how often it ran").isEqualTo(1);
        assertMet(1, "no/Such");
    }

    @Test
    void noMoreThanTheLatest_areKept() {
        for (int i = 0; i < 100; i++) {
            Sockets.writing(new Unhashed());
        }
        assertThat(AgentFaults.count() - before).isEqualTo(100);
        int kept = 0;
        while (AgentFaults.take() != null) {
            kept++;
        }
        assertThat(kept).isEqualTo(AgentFaults.LAST + 1);
    }

    private void assertMet(int faults, String message) {
        assertThat(AgentFaults.count() - before).as("faults").isEqualTo(faults);
        assertThat(Objects.requireNonNull(AgentFaults.take())).hasMessageContaining(message);
    }

    /** A piece that is observed nowhere: an exchange's end finds that out. */
    @SuppressWarnings("NullAway") // that is the fault
    private static Pieces.@Nullable Piece broken(Pieces pieces) {
        return pieces.begin(null);
    }

    /** Of a call that is observed nowhere: whoever looks where finds that out. */
    @SuppressWarnings("NullAway") // as above
    private static Observation.Frame unobserved() {
        return new Observation.Frame(null, 0);
    }

    private static Metadata metadata() {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), HEADER);
        return metadata;
    }

    /** A task of coroutines whose library lacks a class; its hash code is how often it ran. */
    private static Runnable unknownCoroutine() throws ReflectiveOperationException {
        String name = "kotlinx/coroutines/DispatchedTask";
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(
                Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", new String[] {"java/lang/Runnable"});
        writer.visitField(Opcodes.ACC_PRIVATE, "ran", "I", null, null);
        MethodVisitor made = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        made.visitVarInsn(Opcodes.ALOAD, 0);
        made.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        made.visitInsn(Opcodes.RETURN);
        made.visitMaxs(0, 0);
        MethodVisitor run = writer.visitMethod(Opcodes.ACC_PUBLIC, "run", "()V", null, null);
        run.visitVarInsn(Opcodes.ALOAD, 0);
        run.visitInsn(Opcodes.DUP);
        run.visitFieldInsn(Opcodes.GETFIELD, name, "ran", "I");
        run.visitInsn(Opcodes.ICONST_1);
        run.visitInsn(Opcodes.IADD);
        run.visitFieldInsn(Opcodes.PUTFIELD, name, "ran", "I");
        run.visitInsn(Opcodes.RETURN);
        run.visitMaxs(0, 0);
        MethodVisitor hash = writer.visitMethod(Opcodes.ACC_PUBLIC, "hashCode", "()I", null, null);
        hash.visitVarInsn(Opcodes.ALOAD, 0);
        hash.visitFieldInsn(Opcodes.GETFIELD, name, "ran", "I");
        hash.visitInsn(Opcodes.IRETURN);
        hash.visitMaxs(0, 0);
        MethodVisitor lacking = writer.visitMethod(Opcodes.ACC_PUBLIC, "lacking", "(Lno/Such;)V", null, null);
        lacking.visitInsn(Opcodes.RETURN);
        lacking.visitMaxs(0, 0);
        writer.visitEnd();
        byte[] file = writer.toByteArray();
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                if (!wanted.equals(name.replace('/', '.'))) {
                    throw new ClassNotFoundException(wanted);
                }
                return defineClass(wanted, file, 0, file.length);
            }
        };
        return (Runnable)
                loader.loadClass(name.replace('/', '.')).getConstructor().newInstance();
    }

    /** Of a server that has given it to another already. */
    static final class Request {
        public @Nullable String getHeader(String name) {
            if (!name.isEmpty()) {
                throw new IllegalStateException("no header " + name);
            }
            return null;
        }
    }

    private static final class Unhashed extends Socket {
        @Override
        public int hashCode() {
            throw new IllegalStateException("no hash");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other == this;
        }
    }

    private static final class Failing extends Meter {
        private boolean tried;

        @Override
        public double begin() {
            double nanos = super.begin();
            tried = true;
            return nanos;
        }

        @Override
        protected boolean read(long[] values) {
            if (tried) {
                throw new IllegalStateException("read");
            }
            return true;
        }
    }

    private static final class Onlooker extends Witness {
        private final boolean fails;

        Onlooker(boolean fails) {
            this.fails = fails;
        }

        @Override
        protected void called(CallSample sample, @Nullable ServedExchange exchange) {
            if (fails) {
                throw new IllegalStateException("told");
            }
        }
    }

    private static final class Recorder extends Flight {
        private final boolean fails;

        Recorder(boolean fails) {
            this.fails = fails;
        }

        @Override
        protected @Nullable Object beginExchange() {
            return begin();
        }

        @Override
        protected void endExchange(Object begun, ServedExchange exchange) {
            begin();
        }

        @Override
        protected @Nullable Object beginCall() {
            return begin();
        }

        @Override
        protected void endCall(Object begun, int probe, @Nullable ServedExchange exchange, @Nullable Reading reading) {
            begin();
        }

        @Override
        protected void point(
                String point, String place, @Nullable String text, Map<String, String> values, String trace) {
            begin();
        }

        private @Nullable Object begin() {
            if (fails) {
                throw new NoClassDefFoundError("told");
            }
            return null;
        }
    }
}
