package dev.understudy.agent.point;

import dev.understudy.agent.orders.Order;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.ProbePattern;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * {@code points}: the log points, snapshots and watched fields that are in force.
 *
 * <p>{@code {"points": [{"id": "p1", "method": "com.shop.Cart#total", "at": "exit", "message": "is {return}", "when":
 * "…", "rate": 10, "quota": 1000}]}}; without a message it is a snapshot; with {@code "at": "writes"} what stands for
 * the method is a field. One that is ordered on as it was keeps its counts.
 */
public final class PointOrder implements Order {
    private static final int MOST_POINTS = 100;
    /** That one pattern means. */
    static final int MOST_METHODS = 100;

    private final Instrumentation instrumentation;
    private final PointTransformer transformer;
    private final ProbeDirectory directory;
    private final BooleanSupplier closed;
    private final Fields fields;
    private final Secrets secrets;
    private final Hits hits = new Hits();
    private Map<Map<?, ?>, LivePoint> inForce = new LinkedHashMap<>(); // confined to bring
    private volatile List<LivePoint> live = List.of();

    /**
     * Weaves through {@code transformer}, which is installed.
     *
     * @param directory the methods that patterns mean
     * @param secrets what points don't show
     * @param closed whether the budget allows nothing now
     */
    public PointOrder(
            Instrumentation instrumentation,
            PointTransformer transformer,
            ProbeDirectory directory,
            Secrets secrets,
            BooleanSupplier closed) {
        this.directory = directory;
        this.secrets = secrets;
        this.instrumentation = instrumentation;
        this.transformer = transformer;
        this.closed = closed;
        this.fields = Fields.openedBy(instrumentation);
    }

    @Override
    public String kind() {
        return "points";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) {
        List<String> problems = new ArrayList<>();
        Map<Map<?, ?>, LivePoint> next = new LinkedHashMap<>();
        Object all = wanted.get("points");
        for (Object one : all instanceof List ? (List<?>) all : List.of()) {
            Map<?, ?> ordered = one instanceof Map ? (Map<?, ?>) one : Map.of();
            LivePoint known = inForce.get(ordered);
            try {
                if (next.size() >= MOST_POINTS) {
                    throw new IllegalArgumentException("too many (expected: at most " + MOST_POINTS + ")");
                }
                LivePoint point = known == null ? new LivePoint(PointSpec.of(ordered), fields, secrets, hits) : known;
                if (known == null && point.wanted.pattern != null) {
                    bounded(point.wanted.className, point.wanted.pattern);
                }
                next.put(ordered, point);
            } catch (IllegalArgumentException wrong) {
                problems.add(ordered.get("id") + ": " + wrong.getMessage());
            }
        }
        next.forEach((ordered, point) -> {
            if (!inForce.containsKey(ordered)) {
                point.warm();
            }
        });
        change(next);
        for (LivePoint point : live) {
            point.problems().forEach(problem -> problems.add(point.wanted.id + ": " + problem));
        }
        return problems;
    }

    private void bounded(String text, ProbePattern pattern) {
        int methods = 0;
        for (int probe = 1; probe < directory.probes(); probe++) {
            methods += pattern.matches(directory.probe(probe)) ? 1 : 0;
        }
        if (methods > MOST_METHODS) {
            throw new IllegalArgumentException(
                    "method: " + text + " means " + methods + " methods (expected: at most " + MOST_METHODS + ")");
        }
    }

    /** The classes that are woven and have methods that it means. */
    private void addClasses(LivePoint point, Set<String> classes) {
        ProbePattern pattern = point.wanted.pattern;
        if (pattern == null) {
            classes.add(point.wanted.className);
            return;
        }
        for (int number = 1; number < directory.probes(); number++) {
            Probe probe = directory.probe(number);
            if (!classes.contains(probe.className()) && pattern.matches(probe)) {
                classes.add(probe.className());
            }
        }
    }

    private void change(Map<Map<?, ?>, LivePoint> next) {
        Set<String> changed = new HashSet<>();
        Class<?>[] loaded = instrumentation.getAllLoadedClasses();
        List<LivePoint> gone = new ArrayList<>();
        List<LivePoint> come = new ArrayList<>();
        inForce.forEach((ordered, point) -> {
            if (!next.containsKey(ordered)) {
                gone.add(point);
                point.sites().forEach(site -> site.open(false));
            }
        });
        Map<String, List<LivePoint>> byClass = new HashMap<>();
        List<LivePoint> patterns = new ArrayList<>();
        next.forEach((ordered, point) -> {
            String name = point.wanted.className.replace('.', '/');
            if (point.wanted.pattern != null) {
                patterns.add(point);
            } else if (!point.wanted.place.isOfField()) {
                byClass.computeIfAbsent(name, first -> new ArrayList<>()).add(point);
            }
            if (!inForce.containsKey(ordered)) {
                come.add(point);
            }
        });
        come.addAll(gone);
        come.stream().filter(point -> !point.wanted.place.isOfField()).forEach(point -> addClasses(point, changed));
        WatchedFields differ = WatchedFields.of(come, loaded);
        inForce = next;
        live = List.copyOf(next.values());
        transformer.points(byClass, patterns, WatchedFields.of(next.values(), loaded));
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> one : loaded) {
            boolean named = changed.contains(one.getName());
            if ((named || (!differ.isEmpty() && transformer.covers(one) && differ.mayBeUsedIn(one)))
                    && instrumentation.isModifiableClass(one)) {
                batch.add(one);
            }
        }
        if (!batch.isEmpty() && !again(batch.toArray(new Class<?>[0]))) {
            batch.forEach(this::again);
        }
    }

    private boolean again(Class<?>... batch) {
        try {
            instrumentation.retransformClasses(batch);
            return true;
        } catch (UnmodifiableClassException | LinkageError | RuntimeException refused) {
            if (batch.length == 1) {
                String name = batch[0].getName();
                for (LivePoint point : live) {
                    if (point.wanted.pattern != null && point.wanted.pattern.matchesClass(name)) {
                        point.note(name.replace('.', '/'), "the JVM refused " + name + ": " + refused);
                    } else if (point.wanted.className.equals(name)) {
                        point.problem(name.replace('.', '/'), "the JVM refused it: " + refused);
                    }
                }
            }
            return false;
        }
    }

    @Override
    public String standing() {
        List<LivePoint> now = live;
        StringBuilder text = new StringBuilder();
        text.append(now.size()).append(now.size() == 1 ? " point" : " points");
        for (LivePoint point : now) {
            if (!point.isWoven()) {
                text.append(", ").append(point.wanted.id).append(" isn't woven: ");
                List<String> problems = point.problems();
                text.append(problems.isEmpty() ? nowhere(point.wanted) : problems.get(0));
            } else {
                leftOut(text, point);
            }
        }
        return text.append(!now.isEmpty() && closed.getAsBoolean() ? ", closed while the budget is 0" : "")
                .toString();
    }

    private static void leftOut(StringBuilder text, LivePoint point) {
        if (point.wanted.pattern != null) {
            text.append(", ").append(point.wanted.id).append(" is in ").append(point.methods());
            text.append(point.methods() == 1 ? " method" : " methods");
        }
        List<String> notes = point.notes();
        if (!notes.isEmpty()) {
            text.append(", ").append(point.wanted.id).append(" leaves out: ").append(notes.get(0));
            text.append(notes.size() == 1 ? "" : " (and " + (notes.size() - 1) + " more)");
        }
    }

    private static String nowhere(PointSpec wanted) {
        if (wanted.pattern != null) {
            return wanted.className + " matches none that is woven";
        }
        return wanted.place.isOfField() ? "no class that is loaded uses it" : wanted.className + " isn't loaded";
    }

    /** Those in force, for any thread. */
    List<LivePoint> live() {
        return live;
    }

    Hits hits() {
        return hits;
    }
}
