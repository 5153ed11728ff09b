package dev.understudy.it.suites;

import dev.understudy.it.fidelity.server.Server;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A driver's tests, and how they are led to a server.
 *
 * @param name one word, by which it is chosen
 * @param prepare statements for the server, at its own port, before the first test
 * @param environment for a port on loopback
 * @param arguments for a port on loopback
 */
public record DriverSuite(
        String name,
        Server.Kind server,
        SuiteSource source,
        List<String> prepare,
        IntFunction<Map<String, String>> environment,
        IntFunction<List<String>> arguments) {
    /** What is run, for people. */
    public String about() {
        return source.pinned();
    }

    /** Programs that must be installed, beside the server's. */
    public List<String> programs() {
        return source.programs();
    }
}
