package dev.understudy.agent.orders;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One kind of what the operator can want of this JVM. */
public interface Order {
    /** Its name on the sheet. */
    String kind();

    /**
     * Brings the JVM to what is wanted, from whatever state it is in. Called by one thread, which isn't the
     * application's and may wait; what is thrown becomes a problem.
     *
     * @param wanted the kind's own object: texts, numbers, truth values, lists and maps of such; empty if nothing is
     *     wanted
     * @return what couldn't be done and what the operator can do about it, a line each; empty if all was done
     * @throws IOException if the sidecar couldn't be asked; it is tried again
     */
    List<String> bring(Map<String, Object> wanted) throws IOException, InterruptedException;

    /** How the JVM stands, in a few words; any thread. */
    String standing();
}
