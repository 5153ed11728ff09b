package dev.understudy.agent.handshake;

import java.io.IOException;
import java.util.Collection;

/** What a handshake goes by, beside the answer itself. */
interface Surroundings {
    /** The sidecar's answer to a question with this nonce, of this agent, with this signature. */
    byte[] ask(String nonce, String agent, String signature) throws IOException, InterruptedException;

    /** Whether this process listens on any port. */
    boolean listens() throws IOException;

    /**
     * Whether this process has accepted a connection from one of these addresses, as {@link HandshakeAnswer} spells
     * them, and holds it still.
     */
    boolean accepted(Collection<String> from) throws IOException;

    /** A clock that only goes forwards, in nanoseconds. */
    long nanos();

    void sleep(long millis) throws InterruptedException;
}
