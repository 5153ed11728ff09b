package dev.understudy.agent.handshake;

import dev.understudy.agent.export.SidecarClient;
import dev.understudy.agent.export.Stderr;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * Asks the sidecar, from time to time, whether this JVM is its debug one; until it is sure, this JVM stays as it is.
 *
 * <p>What it takes is kept from the application: it asks only once the process listens somewhere, less and less often,
 * and not for ever. Whatever goes wrong, the answer is no. For one thread.
 */
public final class Handshake {
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 15_000;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(15);
    private static final long FIRST_LOOK_MILLIS = 20;
    private static final long LONGEST_LOOK_MILLIS = 400;
    /** The sidecar holds its connections for three seconds; later the same address may be another connection's. */
    private static final long BELIEVED_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private static final int NONCE_BYTES = 32;

    private final Surroundings surroundings;
    private final SharedKey key;
    private final String agent;
    private final SecureRandom random = new SecureRandom();
    private String problem = "this process listens nowhere";

    public Handshake(SidecarClient sidecar, SharedKey key, String agent) {
        this(new ThisProcess(sidecar), key, agent);
    }

    Handshake(Surroundings surroundings, SharedKey key, String agent) {
        this.surroundings = surroundings;
        this.key = key;
        this.agent = agent;
    }

    /** Whether this is the debug JVM; waits until that is known, or there is no hope any more. */
    public boolean isDebug() throws InterruptedException {
        long began = surroundings.nanos();
        long pause = FIRST_MILLIS;
        boolean listening = false;
        while (surroundings.nanos() - began < PATIENCE_NANOS) {
            surroundings.sleep(pause);
            try {
                listening = listening || surroundings.listens();
                if (listening) {
                    pause = Math.min(LONGEST_MILLIS, pause * 2);
                    if (shown()) {
                        return true;
                    }
                    problem = "the sidecar's connections don't come here";
                }
            } catch (IOException no) {
                problem = String.valueOf(no.getMessage());
                pause = Math.min(LONGEST_MILLIS, pause * 2);
            }
        }
        Stderr.line("inert for good, not shown to be the debug JVM: " + problem);
        return false;
    }

    private boolean shown() throws IOException, InterruptedException {
        String nonce = nonce();
        long asked = surroundings.nanos();
        byte[] json = surroundings.ask(nonce, agent, key.sign(HandshakeAnswer.asked(nonce, agent)));
        Collection<String> from = HandshakeAnswer.read(json, key, nonce, agent).connections();
        // they are on their way
        for (long look = FIRST_LOOK_MILLIS; !from.isEmpty(); look = Math.min(LONGEST_LOOK_MILLIS, look * 2)) {
            boolean accepted = surroundings.accepted(from);
            if (surroundings.nanos() - asked > BELIEVED_NANOS) {
                return false;
            }
            if (accepted) {
                return true;
            }
            surroundings.sleep(look);
        }
        return false;
    }

    private String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return SharedKey.hex(bytes);
    }
}
