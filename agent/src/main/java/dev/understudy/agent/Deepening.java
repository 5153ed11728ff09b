package dev.understudy.agent;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.BranchValue;
import dev.understudy.agent.branch.JumpSite;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.orders.Order;
import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.WeavingTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings classes to the second level and back, those that are asked for ({@link AskedClasses}), only so many at a time.
 *
 * <p>All that changes is woven in one batch, and batches are some seconds apart, since each stops the JVM for a moment
 * and throws compiled code away. A class whose branches cost too much goes back for some minutes; what costs too much
 * of its values is spared alone. Runs on a thread of its own.
 */
final class Deepening implements Order, Runnable {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BATCH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Of the largest budget. */
    private static final double SHARE = 0.125;
    /** What passing branches may cost while nothing may be observed. */
    private static final double WHEN_CLOSED = 0.01;
    /** So many patterns, and so many classes, are told of by name. */
    private static final int MOST_TOLD = 3;
    /** Ends the name of a class whose values rest. */
    private static final String VALUES = "=";

    private final Instrumentation instrumentation;
    private final WeavingTransformer weaving;
    private final ProbeDirectory probes;
    private final BranchDirectory branches;
    private final SecondLevel level;
    private final Governor governor;
    private final AskedClasses asked;
    private volatile int most;
    private volatile boolean values;
    private final Map<String, Long> resting = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final ChangedClasses changed = new ChangedClasses();
    private volatile Map<String, AskedClasses.By> chosen = Map.of();
    private volatile List<String> heldBack = List.of();
    private volatile Set<String> suspected = Set.of();
    private Set<String> favoured = Set.of();
    private int probesFavoured;
    private long changedAt = System.nanoTime() - BATCH_NANOS;

    /** @param instrumentation weaves anew what {@code weaving} wove before */
    Deepening(
            AgentConfig config,
            Instrumentation instrumentation,
            WeavingTransformer weaving,
            ProbeDirectory probes,
            BranchDirectory branches,
            SecondLevel level,
            Governor governor,
            Reachability reachability) {
        this.instrumentation = instrumentation;
        this.weaving = weaving;
        this.probes = probes;
        this.branches = branches;
        this.level = level;
        this.governor = governor;
        this.asked = new AskedClasses(probes, reachability, ApplicationCode.inPackages(config.branches()));
        this.most = config.deep();
        this.values = config.values();
    }

    @Override
    public String kind() {
        return "deepen";
    }

    /**
     * {@code patterns}: the operator's; {@code classes}: those that the search wants there, the most important first;
     * {@code methods}: those that get a larger share of the samples.
     */
    @Override
    public List<String> bring(Map<String, Object> wanted) {
        suspected = Set.copyOf(names(wanted.get("methods")));
        return asked.ask(wanted.get("patterns"), names(wanted.get("classes")));
    }

    /** From now on so many classes at a time, and with their values or without; any thread. */
    void limit(int newMost, boolean withValues) {
        most = newMost;
        values = withValues;
    }

    private static List<String> names(@Nullable Object list) {
        List<String> names = new ArrayList<>();
        if (list instanceof List) {
            ((List<?>) list).forEach(name -> names.add(String.valueOf(name)));
        }
        return List.copyOf(names);
    }

    @Override
    public String standing() {
        int now = level.classes().size();
        StringBuilder text = new StringBuilder(now == 1 ? "branches of one class" : "branches of " + now + " classes");
        if (asked.isOrdered()) {
            long ordered = asked.now().values().stream()
                    .filter(AskedClasses.By.OPERATOR::equals)
                    .count();
            text.append("; ").append(ordered).append(" ordered");
            if (ordered > most) {
                text.append(", more than there is room for (deep=").append(most).append(')');
            }
            asked.unmatched().stream()
                    .limit(MOST_TOLD)
                    .forEach(pattern -> text.append("; ").append(pattern).append(" matches none that is woven"));
            heldBack.stream().limit(MOST_TOLD).forEach(one -> text.append("; ").append(one));
        }
        return text.toString();
    }

    /** The classes on the second level, and who asked for each; any thread. */
    Map<String, String> classes() {
        Map<String, AskedClasses.By> now = chosen;
        Map<String, String> classes = new TreeMap<>();
        for (String name : level.classes()) {
            AskedClasses.By by = now.get(name);
            classes.put(name, by == null ? "nobody" : by.toString());
        }
        return classes;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NANOS);
            look(System.nanoTime());
        }
    }

    private void look(long now) {
        favour();
        rest(now);
        Set<String> wanted = wanted();
        if (now - changedAt < BATCH_NANOS) {
            return;
        }
        Set<String> branchesOnly = branchesOnly(wanted);
        if (!wanted.equals(level.classes()) || !branchesOnly.equals(level.branchesOnly()) || changed.areLate()) {
            change(wanted, branchesOnly);
            changedAt = System.nanoTime();
        }
    }

    /** Suspected methods get a larger share of the samples. */
    private void favour() {
        Set<String> methods = suspected;
        int count = probes.probes();
        if (favoured.equals(methods) && (methods.isEmpty() || probesFavoured == count)) {
            return;
        }
        BitSet theirs = new BitSet();
        for (int probe = 1; probe < count; probe++) {
            theirs.set(probe, methods.contains(probes.probe(probe).toString()));
        }
        governor.favour(theirs);
        favoured = methods;
        probesFavoured = count;
    }

    private void rest(long now) {
        resting.values().removeIf(until -> now - until >= 0);
        Standing standing = governor.standing();
        double limit = standing.budget() > 0 ? standing.max() * SHARE : Math.min(WHEN_CLOSED, standing.max() * SHARE);
        Map<String, Double> shares = new HashMap<>();
        double all = 0;
        for (int number = 1; number < branches.numbers(); number++) {
            double share = governor.passing(number);
            if (share > 0) {
                JumpSite site = branches.site(number);
                String name = site instanceof BranchValue ? site.className() + VALUES : site.className();
                shares.merge(name, share, Double::sum);
                all += share;
            }
        }
        List<Map.Entry<String, Double>> dearestFirst = new ArrayList<>(shares.entrySet());
        dearestFirst.sort(Map.Entry.<String, Double>comparingByValue().reversed());
        for (Map.Entry<String, Double> one : dearestFirst) {
            if (all <= limit) {
                break;
            }
            all -= one.getValue();
            resting.put(one.getKey(), now + REST_NANOS);
        }
    }

    private Set<String> wanted() {
        Map<String, AskedClasses.By> now = new LinkedHashMap<>();
        List<String> held = new ArrayList<>();
        for (Map.Entry<String, AskedClasses.By> one : asked.now().entrySet()) {
            String name = one.getKey();
            if (resting.containsKey(name) || refused.contains(name)) {
                if (one.getValue() == AskedClasses.By.OPERATOR) {
                    held.add(name
                            + (refused.contains(name) ? " can't be woven so" : " rests: its branches cost too much"));
                }
            } else if (now.size() < most) {
                now.put(name, one.getValue());
            }
        }
        chosen = Collections.unmodifiableMap(now);
        heldBack = List.copyOf(held);
        return now.keySet();
    }

    private Set<String> branchesOnly(Set<String> wanted) {
        Set<String> chosen = new HashSet<>(wanted);
        chosen.removeIf(name -> values && !resting.containsKey(name + VALUES));
        return chosen;
    }

    private void change(Set<String> wanted, Set<String> branchesOnly) {
        Set<String> other = new HashSet<>(level.classes());
        other.addAll(wanted);
        other.removeIf(name -> level.classes().contains(name)
                && wanted.contains(name)
                && level.branchesOnly().contains(name) == branchesOnly.contains(name));
        level.set(wanted, branchesOnly);
        List<Class<?>> batch = changed.among(other, instrumentation.getAllLoadedClasses());
        batch.removeIf(loaded -> !weaving.wants(loaded) || !instrumentation.isModifiableClass(loaded));
        if (!batch.isEmpty() && !again(batch.toArray(new Class<?>[0]))) {
            batch.forEach(this::alone);
        }
    }

    /** One class of a batch that isn't taken keeps all of it as it was. */
    private void alone(Class<?> loaded) {
        if (!again(loaded)) {
            refused.add(loaded.getName());
            Stderr.line(loaded.getName() + " keeps its branches to itself");
        }
    }

    private boolean again(Class<?>... batch) {
        try {
            instrumentation.retransformClasses(batch);
            return true;
        } catch (UnmodifiableClassException | LinkageError | RuntimeException problem) {
            return false;
        }
    }
}
