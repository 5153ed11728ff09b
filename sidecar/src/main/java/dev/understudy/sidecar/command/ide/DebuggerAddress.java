package dev.understudy.sidecar.command.ide;

/**
 * Where a debugger finds the debug JVM.
 *
 * @param name of the run configuration
 * @param host as this machine reaches it
 * @param port of the debugger's protocol (JDWP), 1 to 65535
 */
record DebuggerAddress(String name, String host, int port) {
    private static final int LONGEST_NAME = 60;
    private static final int HIGHEST_PORT = 65_535;

    DebuggerAddress {
        if (!name.matches("[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0," + (LONGEST_NAME - 1) + "}")) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: letters, digits, blanks, hyphens, up to " + LONGEST_NAME + ")");
        }
        if (!host.matches("[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f:.]+]?")) {
            throw new IllegalArgumentException("host: " + host + " (expected: a host name or an address)");
        }
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to " + HIGHEST_PORT + ")");
        }
    }

    /** From {@code 127.0.0.1:5005}, {@code [::1]:5005} or {@code 5005}, which is on this machine. */
    static DebuggerAddress of(String name, String address) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : address.substring(0, colon);
        String port = address.substring(colon + 1);
        if (!port.matches("\\d{1,5}")) {
            throw new IllegalArgumentException(
                    "address: " + address + " (expected: host:port, such as 127.0.0.1:5005)");
        }
        return new DebuggerAddress(
                name, host.startsWith("[") ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    /** What the debug JVM is to be started with. */
    String option() {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port;
    }
}
