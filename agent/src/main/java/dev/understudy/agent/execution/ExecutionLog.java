package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.ExecutionRecorder;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.execution.ExecutionTransformer.ExecutedMethods;
import dev.understudy.agent.value.Known;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the executions that are ordered: values as bounded texts in which no secret is shown. For any threads.
 *
 * <p>An exchange is known by its trace, or by the port from which its request came where nobody reads headers.
 */
final class ExecutionLog extends ExecutionRecorder {
    private static final int LONGEST = 120;

    private final ExecutedMethods methods;
    private final Rendering rendering;
    private final Map<String, ExecutionTrace> byTrace = new ConcurrentHashMap<>();
    private final Map<Integer, ExecutionTrace> byPort = new ConcurrentHashMap<>();

    ExecutionLog(ExecutedMethods methods, Rendering rendering) {
        this.methods = methods;
        this.rendering = rendering;
    }

    /** Records one more exchange, of that trace, or whose request comes from that port; 0 if that isn't known. */
    void expect(String trace, int port) {
        ExecutionTrace execution = new ExecutionTrace(trace);
        byTrace.put(trace, execution);
        if (port > 0) {
            byPort.put(port, execution);
        }
    }

    private @Nullable ExecutionTrace of(ServedExchange exchange) {
        String trace = exchange.traceId();
        ExecutionTrace known = trace == null ? null : byTrace.get(trace);
        return known == null ? byPort.get(exchange.key().port()) : known;
    }

    @Override
    protected boolean wants(ServedExchange exchange) {
        return of(exchange) != null;
    }

    @Override
    protected void begins(ServedExchange exchange, int method, @Nullable Object[] values) {
        ExecutionTrace execution = of(exchange);
        if (execution == null || !execution.begins(method)) {
            return;
        }
        long since = System.nanoTime();
        ExecutedMethod known = methods.get(method);
        List<String> texts = new ArrayList<>(values.length + 1);
        int first = known.hasReceiver ? 1 : 0;
        texts.add(known.hasReceiver ? className(values[0]) : "");
        for (int i = first; i < values.length; i++) {
            String name = known.parameter(i - first);
            boolean secret =
                    values[i] != null && name != null && rendering.secrets().isSecret(name);
            texts.add(secret ? Secrets.MASK : text(values[i]));
        }
        execution.add(method, null, texts, System.nanoTime() - since);
    }

    @Override
    protected void ends(ServedExchange exchange, int method, End how, @Nullable Object value) {
        ExecutionTrace execution = of(exchange);
        if (execution == null || !execution.ends(method)) {
            return;
        }
        long since = System.nanoTime();
        List<String> texts = how == End.RETURNED_NOTHING
                ? List.of()
                : List.of(how == End.THREW && value != null ? thrown(value) : text(value));
        execution.add(method, how, texts, System.nanoTime() - since);
    }

    /** {@code IllegalStateException: "no such order"}. */
    private String thrown(Object problem) {
        String name = className(problem);
        String text = rendering.text(problem);
        boolean held = text.startsWith(name + '{') && text.endsWith("}");
        return name + ": " + shortened(held ? text.substring(name.length() + 1, text.length() - 1) : text);
    }

    private static String className(@Nullable Object value) {
        return value == null ? "" : Known.shortName(value.getClass());
    }

    private String text(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        String text = rendering.text(value);
        return value instanceof CharSequence ? shortened('"' + text + '"') : shortened(text);
    }

    /** What is cut ends with a hash of all of it, so that equal texts are of equal values. */
    private static String shortened(String text) {
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST) + "…#" + Integer.toHexString(text.hashCode());
    }

    /** The ones that are over. */
    List<ExecutionTrace> over(long now) {
        List<ExecutionTrace> over = new ArrayList<>();
        byTrace.values().stream().filter(one -> one.isOver(now)).forEach(over::add);
        return over;
    }

    /** It is recorded no more. */
    void end(ExecutionTrace execution) {
        byTrace.remove(execution.trace, execution);
        byPort.values().removeIf(one -> one == execution);
    }

    /** How many are waited for. */
    int expected() {
        return byTrace.size();
    }

    /** As the sidecar knows the method of that number. */
    String label(int method) {
        return methods.get(method).label;
    }
}
