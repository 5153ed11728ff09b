package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.EgressGuard;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the application's connections but those to listed destinations, to the aggregator's debug ports, and to ports
 * at which this process listens itself.
 *
 * <p>The names as which the application gives destinations decide nothing: a reverse look-up may have put them there.
 * Safe for any threads.
 */
final class EgressPolicy implements EgressGuard {
    /** How long connections to the aggregator wait for its debug ports to be known, from the first of all on. */
    private static final long PORTS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int LONGEST = 255;

    private final EgressRules rules;
    private final ListedNames names;
    private final ThreadGroup exempt;
    private final OwnListeners listeners;
    private final RefusedConnects refused;
    private final WaitClock waiting;
    /** Null as long as the aggregator hasn't said. */
    private volatile @Nullable Set<Integer> debugPorts;

    private volatile @Nullable Long begun;

    /** @param exempt the group of the agent's own threads */
    EgressPolicy(
            EgressRules rules,
            ListedNames names,
            ThreadGroup exempt,
            OwnListeners listeners,
            RefusedConnects refused,
            WaitClock waiting) {
        this.rules = rules;
        this.names = names;
        this.exempt = exempt;
        this.listeners = listeners;
        this.refused = refused;
        this.waiting = waiting;
    }

    /** From now on these are the ports at which the aggregator answers the debug JVM. */
    void debugPorts(Set<Integer> ports) {
        debugPorts = Set.copyOf(ports);
    }

    @Override
    public void check(InetSocketAddress to) throws ConnectException {
        InetAddress address = to.getAddress();
        int port = to.getPort();
        if (isOwn(Thread.currentThread())
                || allows(address, port)
                || isOwn(address, port)
                || allowsByNow(address, port)) {
            return;
        }
        String destination = destination(to);
        if (refused.count(destination, address.getHostAddress())) {
            names.wake();
        }
        throw new ConnectException(
                "refused by the understudy agent: egress=deny (allow it with egress-allow=" + destination + ")");
    }

    /** Workers of the JVM's common pool belong to nobody, but to the group of the thread that first needed them. */
    private boolean isOwn(Thread thread) {
        return thread.getThreadGroup() == exempt && !(thread instanceof ForkJoinWorkerThread);
    }

    private boolean allows(InetAddress address, int port) {
        Set<Integer> ports = debugPorts;
        return rules.allow(address, port, names::of)
                || (ports != null && ports.contains(port) && rules.isAggregator(address, names::of));
    }

    /** What isn't known yet may allow it. */
    private boolean allowsByNow(InetAddress address, int port) {
        Long first = begun;
        if (first == null) {
            first = waiting.nanoTime();
            begun = first;
        }
        names.refresh(() -> allows(address, port));
        if (debugPorts == null && rules.isAggregator(address, names::of)) {
            waiting.until(() -> debugPorts != null, first + PORTS_NANOS);
        }
        return allows(address, port);
    }

    private boolean isOwn(InetAddress address, int port) {
        try {
            return (address.isLoopbackAddress()
                            || address.isAnyLocalAddress()
                            || NetworkInterface.getByInetAddress(address) != null)
                    && listeners.listenAt(address, port);
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    /** As a rule would name it, without looking anything up, and without characters that a terminal obeys. */
    private static String destination(InetSocketAddress to) {
        String host = to.getHostString();
        int scope = host.indexOf('%');
        String plain = scope < 0 ? host : host.substring(0, scope);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(plain.length(), LONGEST); i++) {
            char c = plain.charAt(i);
            text.append(c > ' ' && c < 127 ? c : '?');
        }
        return (text.indexOf(":") < 0 ? text : "[" + text + "]") + ":" + to.getPort();
    }
}
