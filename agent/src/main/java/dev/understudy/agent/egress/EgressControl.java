package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.Egress;
import dev.understudy.agent.loading.Reach;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent setting {@code egress}: puts it into force, and knows whether it is. Safe for any threads.
 *
 * <p>With {@code allow} it does nothing, and no class is changed.
 */
public final class EgressControl {
    private static final int MOST_PROBLEMS = 16;
    private static final int LONGEST_PROBLEM = 300;
    /** Connects in native code of its own. */
    private static final String OF_WINDOWS = "sun.nio.ch.WindowsAsynchronousSocketChannelImpl";

    private final @Nullable EgressPolicy policy;
    private final RefusedConnects refused;
    private final Consumer<String> line;
    private final Map<String, String> problems = new TreeMap<>();

    private EgressControl(@Nullable EgressPolicy policy, RefusedConnects refused, Consumer<String> line) {
        this.policy = policy;
        this.refused = refused;
        this.line = line;
    }

    /** One that allows everything. */
    public static EgressControl allowing() {
        Consumer<String> silent = new Silent();
        return new EgressControl(null, new RefusedConnects(silent), silent);
    }

    /**
     * One that refuses all that {@code rules} don't allow, once it is installed.
     *
     * @param threads has a thread run until the JVM ends
     * @param exempt the group of the agent's own threads
     * @param first is run once, by a thread of the agent's, when the first connection needs a decision
     * @param line takes what the operator should know
     */
    public static EgressControl denying(
            EgressRules rules,
            Consumer<Runnable> threads,
            ThreadGroup exempt,
            OwnListeners own,
            Runnable first,
            Consumer<String> line) {
        WaitClock waiting = new WaitClock();
        RefusedConnects refused = new RefusedConnects(line);
        ListedNames names = new ListedNames(rules.all(), InetAddress::getAllByName, first, refused::tell, waiting);
        threads.accept(names);
        EgressPolicy policy = new EgressPolicy(rules, names, exempt, own, refused, waiting);
        return new EgressControl(policy, refused, line);
    }

    /** From now on connections are decided about; does nothing if all are allowed. */
    public void install(Instrumentation instrumentation, Reach reach) {
        if (policy == null) {
            return;
        }
        Egress.guard(policy);
        EgressTransformer transformer = new EgressTransformer(reach, this::failed);
        List<String> ofJdk = ConnectPlace.ofJdk(); // before the transformer sees that this class is loaded
        instrumentation.addTransformer(transformer, true);
        int sockets = 0;
        for (String name : ofJdk) {
            Class<?> loaded = ofJdk(name); // changed on the way, unless it was loaded before
            if (loaded != null) {
                sockets++;
                retransform(instrumentation, transformer, loaded);
            }
        }
        if (sockets < 2) {
            failed("java.net.Socket", "this JDK connects in a way that isn't known");
        }
        if (ofJdk(OF_WINDOWS) != null) {
            failed(OF_WINDOWS, "it can't be changed so that they are");
        }
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getClassLoader() != null
                    && ConnectPlace.of(loaded.getName().replace('.', '/')) != null) {
                retransform(instrumentation, transformer, loaded);
            }
        }
        if (state().equals("deny")) {
            line.accept("egress=deny: the application connects to listed destinations only");
        }
    }

    private static @Nullable Class<?> ofJdk(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException | LinkageError none) {
            return null;
        }
    }

    private void retransform(Instrumentation instrumentation, EgressTransformer transformer, Class<?> loaded) {
        boolean ofJdk = loaded.getClassLoader() == null;
        if (ofJdk && transformer.guards(loaded.getName())) {
            return;
        }
        try {
            instrumentation.retransformClasses(loaded);
        } catch (UnmodifiableClassException | LinkageError | RuntimeException problem) {
            failed(loaded.getName(), problem.toString());
        }
        if (!transformer.guards(loaded.getName())) {
            failed(loaded.getName(), "it couldn't be changed");
        }
    }

    private void failed(String name, String problem) {
        String why = problem.length() <= LONGEST_PROBLEM ? problem : problem.substring(0, LONGEST_PROBLEM) + "…";
        boolean told;
        synchronized (problems) {
            told = problems.size() >= MOST_PROBLEMS || problems.putIfAbsent(name, why) != null;
        }
        if (!told) {
            line.accept("EGRESS IS NOT ENFORCED: egress=deny, but connections of " + name + " aren't refused: " + why);
        }
    }

    /** The ports at which the aggregator answers the debug JVM, as it says. */
    public void debugPorts(Set<Integer> ports) {
        if (policy != null) {
            policy.debugPorts(ports);
        }
    }

    /** {@code allow}, {@code deny}, or {@code failed}: it should be the latter, and isn't for all connections. */
    public String state() {
        return policy == null ? "allow" : problems().isEmpty() ? "deny" : "failed";
    }

    /** Why it isn't in force for all connections, by class. */
    public List<String> problems() {
        List<String> all = new ArrayList<>();
        synchronized (problems) {
            problems.forEach((name, why) -> all.add(name + ": " + why));
        }
        return all;
    }

    /** How many connections were refused, by destination. */
    public Map<String, Long> refused() {
        return refused.byDestination();
    }

    /** How many to destinations that aren't among these, since those were too many. */
    public long refusedElsewhere() {
        return refused.elsewhere();
    }

    /** A class, as lambda expressions take long to link while the application starts. */
    private static final class Silent implements Consumer<String> {
        @Override
        public void accept(String text) {
            // nothing is refused
        }
    }
}
