package dev.understudy.agent;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.branch.Site;
import dev.understudy.agent.branch.Value;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.orders.Order;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.WeavingTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings classes to the second level and back: first those that the sidecar asks for, then those that the operator named, only so
 * many at a time.
 *
 * <p>All that changes is woven in one batch, and batches are some seconds apart, since each stops the JVM for a moment and throws
 * compiled code away. A class whose branches cost too much goes back for some minutes; what costs too much of its values is spared alone.
 * Runs on a thread of its own.
 */
final class Deepening implements Order, Runnable {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BATCH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Of the largest budget. */
    private static final double SHARE = 0.125;
    /** What passing branches may cost while nothing may be observed. */
    private static final double WHEN_CLOSED = 0.01;
    /** Ends the name of a class whose values rest. */
    private static final String VALUES = "=";

    private final Instrumentation instrumentation;
    private final WeavingTransformer weaving;
    private final ProbeDirectory probes;
    private final BranchDirectory branches;
    private final SecondLevel level;
    private final Governor governor;
    private final ApplicationCode named;
    private final int most;
    private final boolean values;
    private final Set<String> found = new LinkedHashSet<>();
    private final Map<String, Long> resting = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private volatile List<String> asked = List.of();
    private volatile Set<String> suspected = Set.of();
    private Set<String> favoured = Set.of();
    private int probesFavoured;
    private int probesSeen = 1;
    private long changedAt = System.nanoTime() - BATCH_NANOS;

    /** @param instrumentation weaves anew what {@code weaving} wove before */
    Deepening(
            AgentConfig config,
            Instrumentation instrumentation,
            WeavingTransformer weaving,
            ProbeDirectory probes,
            BranchDirectory branches,
            SecondLevel level,
            Governor governor) {
        this.instrumentation = instrumentation;
        this.weaving = weaving;
        this.probes = probes;
        this.branches = branches;
        this.level = level;
        this.governor = governor;
        this.named = ApplicationCode.inPackages(config.branches());
        this.most = config.deep();
        this.values = config.values();
    }

    @Override
    public String kind() {
        return "deepen";
    }

    /**
     * {@code classes}: those that the sidecar wants there, the most important first; {@code methods}: those that get a larger share
     * of the samples.
     */
    @Override
    public List<String> bring(Map<String, Object> wanted) {
        asked = names(wanted.get("classes"));
        suspected = Set.copyOf(names(wanted.get("methods")));
        return List.of();
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
        return now == 1 ? "branches of one class" : "branches of " + now + " classes";
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NANOS);
            look(System.nanoTime());
        }
    }

    private void look(long now) {
        seek();
        favour();
        rest(now);
        if (now - changedAt < BATCH_NANOS) {
            return;
        }
        Set<String> wanted = wanted();
        Set<String> branchesOnly = branchesOnly(wanted);
        if (!wanted.equals(level.classes()) || !branchesOnly.equals(level.branchesOnly())) {
            change(wanted, branchesOnly);
            changedAt = System.nanoTime();
        }
    }

    /** Classes that the operator named, as far as they are woven. */
    private void seek() {
        for (int count = probes.probes(); probesSeen < count; probesSeen++) {
            String name = probes.probe(probesSeen).className();
            if (found.size() < most && named.owns(name.replace('.', '/'), null)) {
                found.add(name);
            }
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
                Site site = branches.site(number);
                String name = site instanceof Value ? site.className() + VALUES : site.className();
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
        Set<String> wanted = new LinkedHashSet<>(asked);
        wanted.addAll(found);
        Set<String> chosen = new HashSet<>();
        for (String name : wanted) {
            if (chosen.size() < most && !resting.containsKey(name) && !refused.contains(name)) {
                chosen.add(name);
            }
        }
        return chosen;
    }

    private Set<String> branchesOnly(Set<String> wanted) {
        Set<String> chosen = new HashSet<>(wanted);
        chosen.removeIf(name -> values && !resting.containsKey(name + VALUES));
        return chosen;
    }

    private void change(Set<String> wanted, Set<String> branchesOnly) {
        Set<String> changed = new HashSet<>(level.classes());
        changed.addAll(wanted);
        changed.removeIf(name -> level.classes().contains(name)
                && wanted.contains(name)
                && level.branchesOnly().contains(name) == branchesOnly.contains(name));
        level.set(wanted, branchesOnly);
        List<Class<?>> batch = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (changed.contains(loaded.getName())
                    && weaving.wants(loaded)
                    && instrumentation.isModifiableClass(loaded)) {
                batch.add(loaded);
            }
        }
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
