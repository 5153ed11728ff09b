package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Flight;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.expression.Expression;
import dev.understudy.agent.expression.Template;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.value.ValueFault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A point that is in force: its condition, its limits, and what became of it at all places where it is woven. For any
 * threads.
 */
final class LivePoint {
    private static final int MOST_FRAMES = 30;
    /** What a watched field held before it was written. */
    static final String OLD = "old";
    /** What it holds, or will. */
    static final String VALUE = "value";

    private static final ValueFault ABSENT = new ValueFault("it isn't known there");
    private static final ValueFault SECRET = new ValueFault("it is masked");

    final PointSpec wanted;
    private final Limit limit;
    private final Fields fields;
    private final Secrets secrets;
    private final Rendering rendering;
    private final Hits hits;
    private final Map<Object, PointSite> sites = new ConcurrentHashMap<>();
    private final Map<String, String> problems = new ConcurrentHashMap<>();
    private final Map<String, String> notes = new ConcurrentHashMap<>();
    private final Set<String> methods = ConcurrentHashMap.newKeySet();
    private final LongAdder told = new LongAdder();
    private final LongAdder limited = new LongAdder();
    private final LongAdder undecided = new LongAdder();
    private volatile String why = "";

    LivePoint(PointSpec wanted, Fields fields, Secrets secrets, Hits hits) {
        this.wanted = wanted;
        this.limit = new Limit(wanted.perSecond, wanted.quota, System::nanoTime);
        this.fields = fields;
        this.secrets = secrets;
        this.rendering = new Rendering(fields, secrets);
        this.hits = hits;
    }

    /** Does once what places will do, so that the application's threads load no class of the agent's for it. */
    void warm() {
        if (wanted.when != null) {
            wanted.when.evaluate(faults(wanted.when.names()), fields);
        }
        if (wanted.message != null) {
            wanted.message.text(faults(wanted.message.names()), fields, rendering);
        }
        StringBuilder built = new StringBuilder();
        built.append(wanted.id);
        rendering.text(List.of(this, Map.of("warm", 1.5), built, new AtomicReference<>("warm")));
        stack();
    }

    private static @Nullable Object[] faults(List<String> names) {
        return names.stream().map(name -> ABSENT).toArray();
    }

    /** Its site with this key; the same as before if it shows the same values. */
    PointSite site(Object key, String label, String named, List<String> names, PointNumbers numbers) {
        PointSite known = sites.get(key);
        if (known == null || !known.names().equals(names)) {
            known = new PointSite(this, label, named, names, numbers.next());
            sites.put(key, known);
        }
        return known;
    }

    /** The place isn't woven after all. */
    void drop(PointSite site) {
        sites.values().remove(site);
    }

    /** Whether it may be in one method more; of a pattern that means too many, the others are left out. */
    boolean admits(String className, String label) {
        String method = className + "#" + label;
        if (methods.contains(method) || methods.size() < PointOrder.MOST_METHODS) {
            methods.add(method);
            return true;
        }
        note("more", "it is in " + PointOrder.MOST_METHODS + " methods, and in no more (expected: a narrower pattern)");
        return false;
    }

    /** The places where it is woven. */
    Iterable<PointSite> sites() {
        return sites.values();
    }

    /** In how many methods it is woven. */
    int methods() {
        return (int) sites.values().stream().map(site -> site.label).distinct().count();
    }

    boolean isWoven() {
        return !sites.isEmpty();
    }

    /** Why it isn't woven where it should be; "" takes that back. */
    void problem(String where, String problem) {
        if (problem.isEmpty()) {
            problems.remove(where);
        } else {
            problems.put(where, problem);
        }
    }

    /** Why it isn't woven at one of several places, which matters if it is woven nowhere; "" takes that back. */
    void note(String where, String note) {
        if (note.isEmpty()) {
            notes.remove(where);
        } else if (notes.size() < PointOrder.MOST_METHODS || notes.containsKey(where)) {
            notes.put(where, note);
        }
    }

    List<String> problems() {
        Stream<String> all = problems.values().stream();
        return (isWoven() ? all : Stream.concat(all, notes.values().stream()))
                .distinct()
                .sorted()
                .collect(Collectors.toList());
    }

    /** What it leaves out. */
    List<String> notes() {
        return notes.values().stream().distinct().sorted().collect(Collectors.toList());
    }

    boolean isDue() {
        if (limit.allows()) {
            return true;
        }
        limited.increment();
        return false;
    }

    void pass(PointSite site, @Nullable Object[] seen, @Nullable ServedExchange exchange) {
        for (int i = 0; i < seen.length; i++) {
            seen[i] = seen[i] == Points.ABSENT ? ABSENT : seen[i];
        }
        before(site, seen);
        Expression when = wanted.when;
        Object truth = when == null ? (Object) true : when.evaluate(of(site, seen, when.names()), fields);
        if (Boolean.FALSE.equals(truth)) {
            return;
        }
        if (!Boolean.TRUE.equals(truth)) {
            undecided.increment();
            why = truth instanceof ValueFault ? ((ValueFault) truth).why() : "the condition isn't true or false";
            return;
        }
        if (!limit.take()) {
            limited.increment();
            return;
        }
        told.increment();
        mask(site, seen);
        String trace = exchange == null ? null : exchange.traceId();
        Template message = wanted.message;
        Hits.Hit hit = new Hits.Hit(
                wanted.id,
                site.label,
                System.currentTimeMillis(),
                trace == null ? "" : trace,
                exchange == null ? "" : exchange.key().span(),
                message == null ? null : message.text(of(site, seen, message.names()), fields, rendering),
                message == null ? shown(site, seen) : Map.of(),
                message == null ? stack() : List.of());
        hits.offer(hit);
        Flight.pointTells(hit.point, hit.place, hit.text, hit.values, hit.trace);
    }

    /** What a watched field held: it is told of before it is written. */
    private void before(PointSite site, @Nullable Object[] seen) {
        int old = site.names().indexOf(OLD);
        int owner = site.names().indexOf("this");
        if (old >= 0 && owner >= 0) {
            Object object = seen[owner];
            boolean known = object != null && fields.isOf(object, wanted.className, wanted.method);
            seen[old] = known ? fields.read(object, wanted.method) : ABSENT;
        }
    }

    /**
     * What a watched field holds, and what a method returns, has the name of that; {@code isTokenValid} and such tell
     * no secret, unless the name was chosen.
     */
    private void mask(PointSite site, @Nullable Object[] seen) {
        boolean chosen = secrets.isChosen(site.named);
        boolean secret = secrets.isSecret(site.named);
        for (int i = 0; secret && i < seen.length; i++) {
            String name = site.names().get(i);
            boolean its = wanted.place.isOfField()
                    ? !name.equals("this")
                    : name.equals("return") && (chosen || fields.plain(seen[i]) instanceof CharSequence);
            if (its && seen[i] != null && seen[i] != ABSENT) {
                seen[i] = SECRET;
            }
        }
    }

    private static @Nullable Object[] of(PointSite site, @Nullable Object[] seen, List<String> names) {
        @Nullable Object[] chosen = new @Nullable Object[names.size()];
        for (int i = 0; i < chosen.length; i++) {
            int at = site.names().indexOf(names.get(i));
            chosen[i] = at < 0 ? ABSENT : seen[at];
        }
        return chosen;
    }

    private Map<String, String> shown(PointSite site, @Nullable Object[] seen) {
        Map<String, String> shown = new LinkedHashMap<>();
        for (int i = 0; i < seen.length; i++) {
            if (seen[i] != ABSENT) {
                String name = site.names().get(i);
                boolean masked = seen[i] == SECRET || (seen[i] != null && secrets.isSecret(name));
                shown.put(name, masked ? Secrets.MASK : rendering.text(seen[i]));
            }
        }
        return shown;
    }

    private static List<String> stack() {
        String own = LivePoint.class.getPackageName();
        String called = Points.class.getPackageName();
        return StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> frame.getClassName().startsWith(own)
                                || frame.getClassName().startsWith(called))
                        .limit(MOST_FRAMES)
                        .map(Objects::toString)
                        .collect(Collectors.toCollection(ArrayList::new)));
    }

    long passed() {
        return sum(false);
    }

    long skipped() {
        return sum(true);
    }

    private long sum(boolean skipped) {
        long sum = 0;
        for (PointSite site : sites.values()) {
            sum += skipped ? site.skipped() : site.passed();
        }
        return sum;
    }

    long told() {
        return told.sum();
    }

    long limited() {
        return limited.sum();
    }

    long undecided() {
        return undecided.sum();
    }

    /** Why the condition couldn't be decided the last time, or "". */
    String why() {
        return why;
    }

    int left() {
        return limit.left();
    }
}
