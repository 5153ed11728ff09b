package dev.understudy.session.clone;

import java.util.List;

/**
 * How names are resolved inside a copy's world, where no name server is reached.
 *
 * @param hosts lines that are put before those of the copy's {@code /etc/hosts}: address, names
 * @param resolver all lines of the copy's {@code /etc/resolv.conf}; empty where it stays as on this machine
 */
public record CopyNames(List<String> hosts, List<String> resolver) {
    /** Names as on this machine. */
    public static final CopyNames AS_HERE = new CopyNames(List.of(), List.of());

    public CopyNames {
        hosts = List.copyOf(hosts);
        resolver = List.copyOf(resolver);
        check("hosts", hosts);
        check("resolver", resolver);
    }

    private static void check(String what, List<String> lines) {
        for (String line : lines) {
            if (line.chars().anyMatch(c -> c < ' ' && c != '\t')) {
                throw new IllegalArgumentException(what + ": " + line.strip() + " (expected: one line)");
            }
        }
    }
}
