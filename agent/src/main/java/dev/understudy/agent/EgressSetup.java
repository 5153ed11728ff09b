package dev.understudy.agent;

import dev.understudy.agent.caller.CallerLink;
import dev.understudy.agent.egress.EgressControl;
import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.handshake.OwnSockets;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What decides where the application connects to, and the link to the aggregator, which knows its debug ports. Safe for
 * any threads.
 */
final class EgressSetup {
    private final AgentConfig config;
    private final OwnThreads threads;
    private final AtomicBoolean linked = new AtomicBoolean();
    private final EgressControl control;

    EgressSetup(AgentConfig config, OwnThreads threads) {
        this.config = config;
        this.threads = threads;
        this.control = config.deniesEgress()
                ? EgressControl.denying(
                        config.egressRules(),
                        work -> threads.start("egress", work),
                        threads.group(),
                        OwnSockets::listenAt,
                        this::linkEarly,
                        Stderr::line)
                : EgressControl.allowing();
    }

    OwnThreads threads() {
        return threads;
    }

    EgressControl control() {
        return control;
    }

    /**
     * Starts the link, unless that was done before.
     *
     * @throws GeneralSecurityException if the JVM has no TLS, or a file of it can't be read
     */
    void link() throws GeneralSecurityException {
        if (!linked.getAndSet(true)) {
            CallerLink.start(config.aggregator(), config.aggregatorToken(), config.tls(), threads, control::debugPorts);
        }
    }

    /** The application connects before its start has come to a rest. */
    private void linkEarly() {
        threads.start("aggregator", () -> {
            try {
                link();
            } catch (GeneralSecurityException noTls) {
                Stderr.line("the aggregator's debug ports can't be known: " + noTls);
            }
        });
    }
}
