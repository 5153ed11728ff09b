package dev.understudy.agent.bootstrap;

import dev.understudy.agent.weave.WovenLoader;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ImplicitContextKeyed;
import java.util.Locale;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OtherAgentTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String OTHER = "0af7651916cd43dd8448eb211c80319d";

    /** Another in each test: of one, a limited number of calls is told. */
    private final String span = String.format(Locale.ROOT, "%016x", System.nanoTime() | 1);

    private final int probe = Probes.CAPACITY / 2 + 51;

    @BeforeEach
    void use() throws ReflectiveOperationException {
        OtherAgent.use(Span.class);
        Probes.arm(probe, 1);
        Credit.set(1000);
        taken();
    }

    @AfterEach
    void useNone() throws ReflectiveOperationException {
        OtherAgent.use(null);
        taken();
    }

    @Test
    void aCallOfNoExchange_isASpanOfTheOthersTrace() {
        within(TraceFlags.getSampled(), () -> Probes.exit(Probes.enter(probe)));
        ServedExchange exchange = Objects.requireNonNull(taken());
        assertThat(exchange.traceId()).isEqualTo(TRACE);
        assertThat(exchange.key().span()).isEqualTo(span);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aCallOfATracedExchange_staysThere() {
        ServedExchange own = Objects.requireNonNull(ServedExchanges.begin("00-" + OTHER + "-" + span + "-01"));
        within(TraceFlags.getSampled(), () -> Probes.exit(Probes.enter(probe)));
        ServedExchanges.exit(own);
        assertThat(Objects.requireNonNull(taken()).traceId()).isEqualTo(OTHER);
    }

    @Test
    void whatTheOtherDoesNotSample_isNoSpan() {
        within(TraceFlags.getDefault(), () -> Probes.exit(Probes.enter(probe)));
        assertThat(taken()).isNull();
    }

    @Test
    void aSpan_getsNoMoreCallsThanAnExchange() {
        Credit.set(100_000);
        int[] spans = {0};
        within(TraceFlags.getSampled(), () -> {
            for (int i = 0; i < 3000; i++) {
                Probes.exit(Probes.enter(probe));
                spans[0] += taken() == null ? 0 : 1;
            }
        });
        assertThat(spans[0]).isBetween(1, 2999);
    }

    /** OpenTelemetry's own API under the names that its agent gives it. */
    @Test
    void itsApi_isFound_ifItComesInTime() throws Exception {
        OtherAgent.use(null);
        Renaming renamed = new Renaming();
        OtherAgent.find(OtherAgentTest.class.getClassLoader());
        renamed.within(TRACE, span, () -> Probes.exit(Probes.enter(probe)));
        assertThat(taken()).isNull();

        OtherAgent.find(renamed);
        renamed.within(TRACE, span, () -> Probes.exit(Probes.enter(probe)));
        assertThat(Objects.requireNonNull(taken()).traceId()).isEqualTo(TRACE);

        OtherAgent.use(null);
        for (int i = 0; i < 600; i++) {
            OtherAgent.find(OtherAgentTest.class.getClassLoader());
        }
        OtherAgent.find(renamed);
        renamed.within(TRACE, span, () -> Probes.exit(Probes.enter(probe)));
        assertThat(taken()).as("it isn't looked for any more").isNull();
    }

    private void within(TraceFlags flags, Runnable work) {
        Span current = Span.wrap(SpanContext.create(TRACE, span, flags, TraceState.getDefault()));
        Context.root().with(current).wrap(work).run();
    }

    /** The last sampled call's. */
    private static @Nullable ServedExchange taken() {
        ServedExchange last = null;
        for (CallSample sample = Samples.poll(); sample != null; sample = Samples.poll()) {
            last = sample.exchange;
        }
        return last;
    }

    /** Has the API as the other agent has it. */
    private static final class Renaming extends ClassLoader {
        private static final String PLAIN = "io/opentelemetry/api/";
        private static final String OTHERS = "io/opentelemetry/javaagent/shaded/" + PLAIN;

        Renaming() {
            super(OtherAgentTest.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/');
            if (!file.startsWith(OTHERS)) {
                throw new ClassNotFoundException(name);
            }
            ClassWriter made = new ClassWriter(0);
            Remapper names = new Remapper(Opcodes.ASM9) {
                @Override
                public String map(String type) {
                    return type.startsWith(PLAIN) ? OTHERS + type.substring(PLAIN.length()) : type;
                }
            };
            byte[] plain = WovenLoader.classFile(PLAIN.replace('/', '.') + name.substring(OTHERS.length()));
            new ClassReader(plain).accept(new ClassRemapper(made, names), 0);
            byte[] bytes = made.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        }

        void within(String trace, String span, Runnable work) throws ReflectiveOperationException {
            Class<?> context = api("SpanContext");
            Class<?> flags = api("TraceFlags");
            Class<?> state = api("TraceState");
            Object now = context.getMethod("create", String.class, String.class, flags, state)
                    .invoke(
                            null,
                            trace,
                            span,
                            flags.getMethod("getSampled").invoke(null),
                            state.getMethod("getDefault").invoke(null));
            Object current = api("Span").getMethod("wrap", context).invoke(null, now);
            Context.root().with((ImplicitContextKeyed) current).wrap(work).run();
        }

        private Class<?> api(String name) throws ClassNotFoundException {
            return loadClass(OTHERS.replace('/', '.') + "trace." + name);
        }
    }
}
