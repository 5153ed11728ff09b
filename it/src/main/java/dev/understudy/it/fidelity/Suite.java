package dev.understudy.it.fidelity;

import dev.understudy.it.fidelity.server.Server;
import java.util.List;

/** Clients that somebody else wrote, and the work that is given to them. */
public interface Suite {
    /** One word, by which it is chosen. */
    String name();

    /** What it does, for the table. */
    String about();

    /** The kind of server that it needs. */
    Server.Kind server();

    /** Programs that must be installed, beside the server's. */
    default List<String> programs() {
        return List.of();
    }

    /** Brings the server into the state that it begins with, past the aggregator. */
    void prepare(Server server) throws Exception;

    /** Does all of it once, on either side in the same way. */
    void run(Side side) throws Exception;
}
