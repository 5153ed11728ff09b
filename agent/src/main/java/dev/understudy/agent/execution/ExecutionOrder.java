package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.Executions;
import dev.understudy.agent.execution.ExecutionTransformer.ExecutedMethods;
import dev.understudy.agent.orders.Order;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.ProbeDirectory;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code executions}: the exchanges of which all that these classes do is recorded, as long as it is ordered.
 *
 * <p>{@code {"classes": ["com.shop.Cart"], "runs": [{"trace": "0af7…", "port": 40312}]}}. The classes are woven when
 * the order comes, and as they were before once it is gone.
 */
public final class ExecutionOrder implements Order {
    private static final int MOST_CLASSES = 1_000;
    private static final int MOST_RUNS = 16;
    /** So many are woven again at once: nothing else is while the JVM does that. */
    private static final int BATCH = 40;

    private final Instrumentation instrumentation;
    private final ProbeDirectory directory;
    private final ExecutedMethods methods = new ExecutedMethods();
    private final Rendering rendering;
    private final Map<String, String> failures = new ConcurrentHashMap<>();
    private volatile @Nullable ExecutionLog log;
    private @Nullable ExecutionTransformer installed; // confined to bring

    /**
     * Nothing is recorded yet.
     *
     * @param directory the methods that are known
     * @param secrets what isn't recorded
     */
    public ExecutionOrder(Instrumentation instrumentation, ProbeDirectory directory, Secrets secrets) {
        this.instrumentation = instrumentation;
        this.directory = directory;
        this.rendering = new Rendering(Fields.openedBy(instrumentation), secrets);
    }

    @Override
    public String kind() {
        return "executions";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) {
        Set<String> classes = classes(wanted.get("classes"));
        failures.clear();
        if (classes.isEmpty()) {
            Executions.recordBy(null);
            log = null;
            takeOut();
            return List.of();
        }
        ExecutionLog next = new ExecutionLog(methods, rendering);
        List<String> problems = new ArrayList<>();
        Object runs = wanted.get("runs");
        for (Object run : runs instanceof List ? (List<?>) runs : List.of()) {
            Map<?, ?> one = run instanceof Map ? (Map<?, ?>) run : Map.of();
            Object port = one.get("port");
            if (next.expected() >= MOST_RUNS || !(one.get("trace") instanceof String) || !(port instanceof Number)) {
                problems.add("runs: can't be followed (expected: at most " + MOST_RUNS + " with a trace and a port)");
                break;
            }
            next.expect((String) one.get("trace"), ((Number) port).intValue());
        }
        ExecutionTransformer before = installed;
        if (before == null || !before.isForAll(classes)) {
            takeOut();
            putIn(classes);
        }
        log = next;
        Executions.recordBy(next);
        failures.forEach((name, why) -> problems.add(name + " isn't recorded: " + why));
        return problems;
    }

    private static Set<String> classes(@Nullable Object wanted) {
        Set<String> classes = new HashSet<>();
        for (Object one : wanted instanceof List ? (List<?>) wanted : List.of()) {
            if (one instanceof String && classes.size() < MOST_CLASSES) {
                classes.add((String) one);
            }
        }
        return classes;
    }

    private void putIn(Set<String> classes) {
        ExecutionTransformer next = new ExecutionTransformer(
                classes, directory.labels(classes), methods, (name, problem) -> failures.put(name, problem.toString()));
        installed = next;
        Executions.recordBy(null); // loaded by no thread of the application
        instrumentation.addTransformer(next, true);
        again(next);
    }

    private void takeOut() {
        ExecutionTransformer before = installed;
        if (before != null) {
            installed = null;
            instrumentation.removeTransformer(before);
            again(before);
        }
    }

    private void again(ExecutionTransformer transformer) {
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (transformer.isFor(loaded.getName()) && instrumentation.isModifiableClass(loaded)) {
                batch.add(loaded);
                if (batch.size() == BATCH) {
                    again(batch);
                    batch.clear();
                }
            }
        }
        again(batch);
    }

    private void again(List<Class<?>> batch) {
        if (!batch.isEmpty() && !tryAgain(batch.toArray(new Class<?>[0]))) {
            batch.forEach(this::tryAgain);
        }
    }

    private boolean tryAgain(Class<?>... batch) {
        try {
            instrumentation.retransformClasses(batch);
            return true;
        } catch (UnmodifiableClassException | LinkageError | RuntimeException refused) {
            if (batch.length == 1) {
                failures.put(batch[0].getName(), "the JVM refused it: " + refused);
            }
            return false;
        }
    }

    @Override
    public String standing() {
        ExecutionLog now = log;
        return now == null ? "none" : "records, " + now.expected() + " not over yet";
    }

    /** What is recorded now; null if nothing is. For any thread. */
    @Nullable
    ExecutionLog log() {
        return log;
    }
}
