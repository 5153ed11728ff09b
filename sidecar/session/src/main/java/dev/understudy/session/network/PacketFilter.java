package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packet filter of a network, for one family of addresses.
 *
 * <p>There are two in Linux, each with programs of its own. The older one is used where it has rules already: two that
 * translate addresses in one network get into each other's way.
 */
final class PacketFilter {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** Reads lines from its words, so that a table is changed at once or not at all. */
    private static final String RESTORE = "p=$1; shift; printf '%s\\n' \"$@\" | \"$p\" -w 10 --noflush";

    private static final Pattern COMMENT = Pattern.compile("understudy:([0-9a-f]{8})");

    private final NetworkNamespace network;
    private final String program;

    private PacketFilter(NetworkNamespace network, String program) {
        this.network = network;
        this.program = program;
    }

    /**
     * Finds the one that works.
     *
     * @throws NetworkFailure if none does
     */
    static PacketFilter of(NetworkNamespace network, IpFamily family) throws NetworkFailure, InterruptedException {
        String name = family.program();
        List<String> candidates = hasLegacyRules(network, family)
                ? List.of(name + "-legacy", name)
                : List.of(name, name + "-nft", name + "-legacy");
        String problem = "";
        for (String candidate : candidates) {
            try {
                HostCommand.Result listed =
                        HostCommand.run(LIMIT, network.command(List.of(candidate, "-w", "10", "-t", "nat", "-S")));
                if (listed.isFine()) {
                    return new PacketFilter(network, candidate);
                }
                if (problem.isEmpty() && !isMissing(listed)) {
                    problem = candidate + ": " + listed.lastLine();
                }
            } catch (IOException missing) {
                // the next may be there
            }
        }
        throw new NetworkFailure(explain(name, problem));
    }

    private static boolean isMissing(HostCommand.Result result) {
        return result.code() == 127 || result.output().contains("failed to execute");
    }

    private static boolean hasLegacyRules(NetworkNamespace network, IpFamily family) throws InterruptedException {
        try {
            HostCommand.Result tables = HostCommand.run(LIMIT, network.command(List.of("cat", family.legacyTables())));
            return tables.isFine() && tables.output().lines().anyMatch(line -> line.equals("nat"));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** What to do about a packet filter that doesn't work. */
    static String explain(String program, String problem) {
        String wayOut = "; or put the sidecar in front of the service by hand: docs/getting-started.md";
        if (problem.isEmpty()) {
            return program + " isn't installed: install the package iptables" + wayOut;
        }
        String text = problem.toLowerCase(Locale.ROOT);
        if (text.contains("permission denied") || text.contains("not permitted") || text.contains("must be root")) {
            return problem + ": run the command as root, or with CAP_NET_ADMIN and CAP_SYS_ADMIN" + wayOut;
        }
        if (text.contains("owner")) {
            return problem + ": this kernel can't tell connections apart by their user: modprobe xt_owner" + wayOut;
        }
        return problem + ": try modprobe iptable_nat nf_nat xt_REDIRECT" + wayOut;
    }

    /**
     * Refuses where another session redirects the same connections.
     *
     * @throws NetworkFailure which names that session
     */
    void requireFree(String session, List<FilterRule> rules) throws NetworkFailure, InterruptedException {
        try {
            HostCommand.Result listed =
                    HostCommand.run(LIMIT, network.command(List.of(program, "-w", "10", "-t", "nat", "-S")));
            for (String line : listed.output().lines().toList()) {
                Matcher comment = COMMENT.matcher(line);
                for (FilterRule rule : comment.find() ? rules : List.<FilterRule>of()) {
                    if (!comment.group(1).equals(session) && rule.isLike(line)) {
                        throw new NetworkFailure("session " + comment.group(1) + " redirects the same connections: "
                                + line + "; stop that session first, or debug with it");
                    }
                }
            }
        } catch (IOException failed) {
            throw new NetworkFailure(explain(program, String.valueOf(failed.getMessage())), failed);
        }
    }

    /** The program that changes single rules. */
    String program() {
        return program;
    }

    /** The program that changes a table at once, by lines. */
    String restore() {
        return program + "-restore";
    }

    /** Writes rules down; they are set afterwards. */
    List<LedgerEntry> list(Ledger ledger, List<FilterRule> rules) {
        List<LedgerEntry> entries = new ArrayList<>();
        for (FilterRule rule : rules) {
            List<String> words = new ArrayList<>(List.of(Long.toString(network.number()), program, "-t", rule.table()));
            words.addAll(rule.words());
            entries.add(ledger.add(LedgerEntry.Kind.RULE, words.toArray(String[]::new)));
        }
        return entries;
    }

    /**
     * Sets rules of one table, all or none.
     *
     * @throws NetworkFailure if they can't be set
     */
    void set(String table, List<FilterRule> rules) throws NetworkFailure, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", RESTORE, "sh", restore(), "*" + table));
        rules.forEach(rule -> words.add(rule.insertion()));
        words.add("COMMIT");
        try {
            HostCommand.Result done = HostCommand.run(LIMIT, network.command(words));
            if (!done.isFine()) {
                throw new NetworkFailure(explain(program, firstLine(done)));
            }
        } catch (IOException failed) {
            throw new NetworkFailure(explain(program, String.valueOf(failed.getMessage())), failed);
        }
    }

    private String firstLine(HostCommand.Result result) {
        return result.output()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .findFirst()
                .orElse(restore() + ": exit code " + result.code());
    }
}
