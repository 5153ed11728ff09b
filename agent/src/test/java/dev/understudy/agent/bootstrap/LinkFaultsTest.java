package dev.understudy.agent.bootstrap;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
 * What the agent makes itself once for a woven class or a library's type is counted as a fault if it can't; what isn't
 * there isn't one.
 */
@ExtendWith(AllObserved.class)
final class LinkFaultsTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String REQUEST = Request.class.getName();

    private final int probe = Probes.CAPACITY / 2 + 91;
    private int before;

    @BeforeEach
    void forget() {
        while (AgentFaults.take() != null) {
            // of other tests
        }
        before = AgentFaults.count();
    }

    @AfterEach
    void calm() throws ReflectiveOperationException {
        OtherAgent.use(null);
        OtherServers.use(null, null, null);
        Foreign.fails = false;
        Probes.arm(probe, 0);
    }

    @Test
    void aGateThatCannotBeHad_isClosed() throws Throwable {
        MethodType type = MethodType.methodType(Object.class, int.class);
        CallSite site = Gates.link(MethodHandles.lookup(), "seen", type, Gates.CAPACITY);

        assertThat((Object) site.getTarget().invokeExact(probe)).isNull();
        assertMet(String.valueOf(Gates.CAPACITY));
    }

    @Test
    void aRequestThatCannotBeAsked_isCountedOnceForItsServer() {
        for (int i = 0; i < 2; i++) {
            assertThat(ServedExchanges.call(new Request(), LinkFaultsTest.class, "enter " + REQUEST + " noSuchGetter"))
                    .isNull();
        }
        assertMet("noSuchGetter");
    }

    @Test
    void aServerWithoutARequestsType_hasNoRequests_andThatIsNoFault() {
        assertThat(ServedExchanges.call(new Request(), LinkFaultsTest.class, "tell no.such.Request headers.get"))
                .isNull();
        assertThat(AgentFaults.count()).isEqualTo(before);
    }

    @Test
    void anEventThatNobodyCanRead_isCountedOnceForItsFramework() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        for (int i = 0; i < 2; i++) {
            Logged.event(this, LinkFaultsTest.class, "no.such.Record getLevel 1000");
        }
        ServedExchanges.exit(exchange);
        assertMet("no.such.Record");
    }

    @Test
    void callsWhoseMetadataCannotBeAsked_areCountedOnce() {
        assertThat(Calls.bring(new Request())).isNull();
        assertThat(Calls.bring(new Request())).isNull();
        assertMet("Request$Key");
    }

    @Test
    void requestsThatCannotGoOn_areNone_unlessTheirTypeIsDamaged() throws Exception {
        assertThat(Asynchronous.of(Request.class)).isNull();
        assertThat(AgentFaults.count()).as("as in a Servlet API before 3.0").isEqualTo(before);

        assertThat(Asynchronous.of(damaged())).isNull();
        assertMet("no/Such");
    }

    @Test
    void anotherAgentsTraceThatCannotBeRead_costsTheTrace_andNoSample() throws Exception {
        OtherAgent.use(Foreign.class);
        Foreign.fails = true;
        Probes.arm(probe, 1);
        Credit.set(1000);
        Probes.exit(Probes.enter(probe));

        assertThat(Samples.poll()).as("a span of no trace").isNull();
        assertThat(Probes.hits(probe)).isPositive();
        assertMet("foreign");
    }

    @Test
    void anotherAgentsSpanThatCannotBeRead_endsNothing() throws Exception {
        OtherServers.use(Foreign.class, Foreign.class, Foreign.class);
        Foreign.fails = true;
        OtherServers.ended(new Foreign(), null);

        assertMet("foreign");
    }

    @Test
    void anotherAgentsSpanThatHidesItsKind_beginsNothing_andIsCountedOnce() throws Exception {
        OtherServers.use(Foreign.class, Foreign.class, Foreign.class);
        OtherServers.changed();
        OtherServers.changed();

        assertThat(ServedExchanges.current()).isNull();
        assertMet("Hidden");
    }

    private void assertMet(String message) {
        assertThat(AgentFaults.count() - before).as("faults").isEqualTo(1);
        assertThat(Objects.requireNonNull(AgentFaults.take())).hasMessageContaining(message);
    }

    /** A type that lacks one of those in its methods. */
    private static Class<?> damaged() throws ClassNotFoundException {
        String name = "com/shop/Damaged";
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor lacking = writer.visitMethod(Opcodes.ACC_PUBLIC, "lacking", "(Lno/Such;)V", null, null);
        lacking.visitInsn(Opcodes.RETURN);
        lacking.visitMaxs(0, 2);
        writer.visitEnd();
        byte[] file = writer.toByteArray();
        return new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                if (!wanted.equals(name.replace('/', '.'))) {
                    throw new ClassNotFoundException(wanted);
                }
                return defineClass(wanted, file, 0, file.length);
            }
        }.loadClass(name.replace('/', '.'));
    }

    /** Has nothing that could be asked for. */
    static final class Request {}

    /** Nobody outside may ask it. */
    interface Hidden {
        @Nullable
        Object getKind();
    }

    /**
     * All at once that the other agent has: a context, a span with its own context, and the first of a context's spans.
     */
    public static final class Foreign implements Hidden {
        private static boolean fails;

        public static Foreign current() {
            return new Foreign();
        }

        public static Foreign fromContextOrNull(Foreign context) {
            return context.getSpanContext();
        }

        public Foreign getSpanContext() {
            if (fails) {
                throw new IllegalStateException("foreign");
            }
            return this;
        }

        public boolean isRecording() {
            return true;
        }

        public boolean isRemote() {
            return true;
        }

        public boolean isSampled() {
            return true;
        }

        public String getTraceId() {
            return "0af7651916cd43dd8448eb211c80319c";
        }

        public String getSpanId() {
            return "b7ad6b7169203331";
        }

        @Override
        public @Nullable Object getKind() {
            return null;
        }
    }
}
