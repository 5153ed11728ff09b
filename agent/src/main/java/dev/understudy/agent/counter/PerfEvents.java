package dev.understudy.agent.counter;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Calls {@code perf_event_open(2)}, {@code read} and {@code close} by {@code java.lang.foreign}, which is looked up
 * since the agent also runs on JVMs that lack it.
 *
 * <p>The JVM warns of whoever calls native code without being allowed to on its command line. The agent opens
 * {@code java.lang.invoke} to itself, as agents may, and has the JDK's own module look the functions up, so that
 * nothing is printed and no other code is allowed anything.
 */
final class PerfEvents implements Perf {
    private static final String FOREIGN = "java.lang.foreign.";
    private static final int ATTRIBUTES = 64;
    /** The group's values, behind how long it was enabled and how long it really counted. */
    private static final long READ_FORMAT = 8 | 1 | 2;

    private static final long EXCLUDE_KERNEL = 1 << 5;
    private static final long EXCLUDE_HYPERVISOR = 1 << 6;
    private static final long CLOSE_ON_EXEC = 8;

    private final long number;
    private final MethodHandle syscall;
    private final MethodHandle told;
    private final MethodHandle reading;
    private final MethodHandle closing;
    private final MethodHandle segment;
    private final MethodHandle addressOf;
    private final ByteBuffer error = direct(16);

    private PerfEvents(long number) throws Throwable {
        this.number = number;
        MethodHandles.Lookup own = MethodHandles.lookup();
        Class<?> linkerType = Class.forName(FOREIGN + "Linker");
        Class<?> segmentType = Class.forName(FOREIGN + "MemorySegment");
        Class<?> symbolsType = Class.forName(FOREIGN + "SymbolLookup");
        Class<?> layoutType = Class.forName(FOREIGN + "MemoryLayout");
        Class<?> descriptorType = Class.forName(FOREIGN + "FunctionDescriptor");
        Class<?> optionType = Class.forName(FOREIGN + "Linker$Option");
        Class<?> optionsType = Array.newInstance(optionType, 0).getClass();
        Class<?> valuesType = Class.forName(FOREIGN + "ValueLayout");
        Object intLayout = valuesType.getField("JAVA_INT").get(null);
        Object longLayout = valuesType.getField("JAVA_LONG").get(null);
        segment = own.findStatic(segmentType, "ofBuffer", MethodType.methodType(segmentType, java.nio.Buffer.class));
        addressOf = own.findVirtual(segmentType, "address", MethodType.methodType(long.class));
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object symbols = linkerType.getMethod("defaultLookup").invoke(linker);
        MethodHandle link = jdkLookup(linkerType)
                .findVirtual(
                        linkerType,
                        "downcallHandle",
                        MethodType.methodType(MethodHandle.class, segmentType, descriptorType, optionsType))
                .asFixedArity();
        Foreign foreign = new Foreign(link, linker, symbols, symbolsType, layoutType, descriptorType);
        Object none = Array.newInstance(optionType, 0);
        Object capture = Array.newInstance(optionType, 1);
        Object names = new String[] {"errno"};
        Array.set(
                capture,
                0,
                optionType.getMethod("captureCallState", String[].class).invoke(null, names));
        Object[] six = {longLayout, longLayout, longLayout, longLayout, longLayout, longLayout};
        syscall = foreign.handle("syscall", longLayout, six, none);
        told = MethodHandles.insertArguments(
                foreign.handle("syscall", longLayout, six, capture), 0, segment.invoke((java.nio.Buffer) error));
        reading = foreign.handle("read", longLayout, new Object[] {intLayout, longLayout, longLayout}, none);
        closing = foreign.handle("close", intLayout, new Object[] {intLayout}, none);
    }

    /**
     * The kernel's counters.
     *
     * @throws CountersUnavailable with the reason if there are none, whatever it is
     */
    static PerfEvents of(Instrumentation instrumentation) throws CountersUnavailable {
        int feature = Runtime.version().feature();
        if (feature < 22) {
            throw new CountersUnavailable("JDK " + feature + " has no foreign functions (22 has)");
        }
        String system = System.getProperty("os.name", "");
        String machine = System.getProperty("os.arch", "");
        long number = machine.equals("amd64") ? 298 : machine.equals("aarch64") ? 241 : -1;
        if (!system.equals("Linux") || number < 0) {
            throw new CountersUnavailable("no perf_event_open on " + system + " " + machine);
        }
        try {
            instrumentation.redefineModule(
                    Object.class.getModule(),
                    Set.of(),
                    Map.of(),
                    Map.of("java.lang.invoke", Set.of(PerfEvents.class.getModule())),
                    Set.of(),
                    Map.of());
            return new PerfEvents(number);
        } catch (Throwable problem) {
            throw new CountersUnavailable("foreign functions can't be called: " + problem);
        }
    }

    /** A lookup as that class of the JDK itself would make one: who calls by it is the JDK. */
    private static MethodHandles.Lookup jdkLookup(Class<?> type) throws ReflectiveOperationException {
        Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        field.setAccessible(true);
        return ((MethodHandles.Lookup) field.get(null)).in(type);
    }

    @Override
    public int open(CounterEvent event, int leader, boolean userOnly) {
        ByteBuffer attributes = attributes(event, userOnly);
        try {
            return (int) (long) syscall.invokeExact(number, address(attributes), 0L, -1L, (long) leader, CLOSE_ON_EXEC);
        } catch (Throwable problem) {
            return -1;
        } finally {
            Reference.reachabilityFence(attributes);
        }
    }

    @Override
    public synchronized int tried(CounterEvent event, boolean userOnly) {
        ByteBuffer attributes = attributes(event, userOnly);
        try {
            int opened = (int) (long) told.invokeExact(number, address(attributes), 0L, -1L, -1L, CLOSE_ON_EXEC);
            if (opened < 0) {
                return Math.max(1, error.getInt(0));
            }
            close(opened);
            return 0;
        } catch (Throwable problem) {
            return 1;
        } finally {
            Reference.reachabilityFence(attributes);
        }
    }

    @Override
    public long read(int leader, ByteBuffer into, long address) {
        try {
            return (long) reading.invokeExact(leader, address, (long) into.capacity());
        } catch (Throwable problem) {
            return -1;
        } finally {
            Reference.reachabilityFence(into);
        }
    }

    @Override
    public long address(ByteBuffer buffer) {
        try {
            return (long) addressOf.invoke(segment.invoke((java.nio.Buffer) buffer));
        } catch (Throwable problem) {
            throw new IllegalStateException(problem);
        }
    }

    @Override
    @SuppressWarnings("unused") // what close returns has no use, but invokeExact must be told that it returns something
    public void close(int descriptor) {
        try {
            int ignored = (int) closing.invokeExact(descriptor);
        } catch (Throwable problem) {
            // it stays open
        }
    }

    private static ByteBuffer attributes(CounterEvent event, boolean userOnly) {
        return direct(ATTRIBUTES)
                .putInt(0, event.type)
                .putInt(4, ATTRIBUTES)
                .putLong(8, event.config)
                .putLong(32, READ_FORMAT)
                .putLong(40, EXCLUDE_HYPERVISOR | (userOnly ? EXCLUDE_KERNEL : 0));
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** What a function is looked up with. */
    private static final class Foreign {
        private final MethodHandle link;
        private final Object linker;
        private final Object symbols;
        private final Class<?> symbolsType;
        private final Class<?> layoutType;
        private final Class<?> descriptorType;

        Foreign(
                MethodHandle link,
                Object linker,
                Object symbols,
                Class<?> symbolsType,
                Class<?> layoutType,
                Class<?> descriptorType) {
            this.link = link;
            this.linker = linker;
            this.symbols = symbols;
            this.symbolsType = symbolsType;
            this.layoutType = layoutType;
            this.descriptorType = descriptorType;
        }

        MethodHandle handle(String name, Object result, Object[] arguments, Object options) throws Throwable {
            Optional<?> symbol =
                    (Optional<?>) symbolsType.getMethod("find", String.class).invoke(symbols, name);
            Object layouts = Array.newInstance(layoutType, arguments.length);
            for (int i = 0; i < arguments.length; i++) {
                Array.set(layouts, i, arguments[i]);
            }
            Object descriptor = descriptorType
                    .getMethod("of", layoutType, layouts.getClass())
                    .invoke(null, result, layouts);
            return (MethodHandle) link.invoke(linker, symbol.orElseThrow(), descriptor, options);
        }
    }
}
