package dev.understudy.agent.execution;

import com.fasterxml.jackson.core.JsonFactory;
import dev.understudy.agent.Fuzz;
import dev.understudy.agent.bootstrap.AgentFaults;
import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.Executions;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.execution.ExecutionTransformer.ExecutedMethods;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.LibraryClasses;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

final class ExecutionWeavingTest {
    private static final int SAMPLE = Fuzz.rounds(200);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final ProbeDirectory directory = WovenLoader.DIRECTORY;
    private final ExecutedMethods methods = new ExecutedMethods();
    private final ExecutionLog log =
            new ExecutionLog(methods, new Rendering(new Fields(type -> {}), new Secrets(Set.of())));

    @BeforeEach
    void forgetFaultsOfOtherTests() {
        while (AgentFaults.take() != null) {
            // they share the JVM
        }
    }

    @AfterEach
    void recordNothing() {
        Executions.recordBy(null);
        assertThat(AgentFaults.take()).isNull();
    }

    @ParameterizedTest
    @ValueSource(classes = {JsonFactory.class, org.assertj.core.api.Assertions.class})
    void allMethods_passTheJvmsVerifier_aroundPlaceHolders(Class<?> member) throws Exception {
        List<String> names = LibraryClasses.of(member);
        Loader loader = new Loader(Set.copyOf(names));
        Collections.shuffle(names, new Random(29));
        int verified = 0;
        for (String name : names.subList(0, SAMPLE)) {
            try {
                // HotSpot links a class before it lists its methods; linking verifies and runs nothing
                verified += loader.loadClass(name).getDeclaredMethods().length > 0 ? 1 : 0;
            } catch (VerifyError wrong) {
                throw new AssertionError(name, wrong);
            } catch (NoClassDefFoundError optional) {
                // a class for a library that isn't here
            }
        }
        assertThat(verified).isGreaterThan(SAMPLE / 2);
        assertThat(loader.recorded).isGreaterThan(SAMPLE / 2);
        assertThat(loader.failures).isEmpty();
    }

    @Test
    void expectedExchange_isRecorded_withArgumentsResultsAndExceptions_andNoOther() throws Exception {
        Loader loader = new Loader(Set.of(Till.class.getName()));
        Class<?> till = loader.loadClass(Till.class.getName());
        Object one = till.getConstructor(long.class).newInstance(5L);
        Method pay = till.getMethod("pay", int.class, double.class, String.class, boolean.class);
        log.expect(TRACE, 0);
        Executions.recordBy(log);

        assertThat(pay.invoke(one, 1, 2.5, "tea", true)).isEqualTo(8.5);
        serve("11111111111111111111111111111111", () -> call(pay, one, 1));
        assertThat(log.over(Long.MAX_VALUE / 2)).as("others aren't recorded").isEmpty();

        serve(TRACE, () -> {
            call(pay, one, 7);
            call(pay, one, -7);
        });

        List<ExecutionTrace> over = log.over(later());
        assertThat(over).hasSize(1);
        assertThat(lines(over.get(0)))
                .containsExactly(
                        "e Till#pay [ExecutionWeavingTest$Till, 7, 2.5, \"tea\", true]",
                        "e Till#sum [ExecutionWeavingTest$Till, 7]",
                        "RETURNED Till#sum [12]",
                        "e Till#checked [, [masked]]",
                        "RETURNED_NOTHING Till#checked []",
                        "RETURNED Till#pay [14.5]",
                        "e Till#pay [ExecutionWeavingTest$Till, -7, 2.5, \"tea\", true]",
                        "e Till#sum [ExecutionWeavingTest$Till, -7]",
                        "THREW Till#sum [IllegalStateException: \"less than nothing\"]",
                        "THREW Till#pay [IllegalStateException: \"less than nothing\"]");
        log.end(over.get(0));
        assertThat(log.expected()).isZero();
    }

    @Test
    void loop_isRecordedUpToItsBound_andCountedBeyond() throws Exception {
        Loader loader = new Loader(Set.of(Till.class.getName()));
        Class<?> till = loader.loadClass(Till.class.getName());
        Object one = till.getConstructor(long.class).newInstance(5L);
        Method count = till.getMethod("count", int.class);
        log.expect(TRACE, 0);
        Executions.recordBy(log);

        serve(TRACE, () -> call(count, one, 10_000));

        ExecutionTrace trace = log.over(later()).get(0);
        assertThat(lines(trace)).hasSize(2 + 4 * ExecutionTrace.MOST_OF_METHOD);
        assertThat(trace.left()).isEqualTo(2 * (10_000 - ExecutionTrace.MOST_OF_METHOD));
        assertThat(lines(trace).get(lines(trace).size() - 1)).isEqualTo("RETURNED Till#count [50000]");
    }

    private static long later() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    }

    private static void serve(String trace, Runnable work) {
        ServedExchange exchange = ExchangeTraffic.open("00-" + trace + "-b7ad6b7169203331-01");
        try {
            work.run();
        } finally {
            ExchangeTraffic.end(exchange);
        }
    }

    private static void call(Method method, Object on, int first) {
        Throwable thrown = catchThrowable(() -> method.invoke(
                on, method.getParameterCount() == 1 ? new Object[] {first} : new Object[] {first, 2.5, "tea", true}));
        assertThat(thrown == null || first < 0).isTrue();
    }

    private List<String> lines(ExecutionTrace trace) {
        List<String> lines = new ArrayList<>();
        for (ExecutionTrace.Lane thread : trace.threads()) {
            for (ExecutionTrace.Event event : thread.events) {
                String label = log.label(event.method);
                lines.add((event.how == null ? "e" : event.how.name()) + " " + label.substring(label.indexOf('$') + 1)
                        + " " + event.texts);
            }
        }
        return lines;
    }

    /** Woven as by the agent, then to be recorded. */
    private final class Loader extends ClassLoader {
        private final Set<String> names;
        private final Set<String> failures = new HashSet<>();
        private int recorded;

        Loader(Set<String> names) {
            super(ExecutionWeavingTest.class.getClassLoader());
            this.names = names;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null && names.contains(name) ? define(name) : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) {
            byte[] classFile = WovenLoader.classFile(name);
            byte[] woven = new Weaver(directory).weave(this, classFile);
            byte[] held = woven == null ? classFile : woven;
            Map<String, String> labels = directory.labels(Set.of(name));
            ExecutionTransformer transformer =
                    new ExecutionTransformer(Set.of(name), labels, methods, (failed, why) -> failures.add(failed));
            byte[] next = transformer.transform(this, name.replace('.', '/'), null, null, held);
            recorded += next == null ? 0 : 1;
            byte[] bytes = next == null ? held : next;
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** What is woven; each of its methods is long enough to have a place-holder. */
    public static class Till {
        private final long start;

        public Till(long start) {
            this.start = start + "".length();
        }

        public double pay(int count, double price, String what, boolean checked) {
            long sum = sum(count);
            if (checked) {
                checked(what);
            }
            return sum + price;
        }

        private long sum(int count) {
            if (count < 0) {
                throw new IllegalStateException("less than nothing");
            }
            return start + count;
        }

        private static void checked(String password) {
            if (password.isEmpty()) {
                throw new IllegalArgumentException(password);
            }
        }

        public long count(int times) {
            long count = 0;
            for (int i = 0; i < times; i++) {
                count += step(i);
            }
            return count;
        }

        private long step(int i) {
            Function<Integer, Long> five = any -> any < 0 ? -start : start;
            return five.apply(i);
        }
    }
}
