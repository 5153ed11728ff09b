package dev.understudy.session.ledger;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Deletes namespaces, links and rules that have the session's id in their name or comment, and no others. */
final class NetworkRemoval {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Set<String> FILTERS =
            Set.of("iptables", "iptables-nft", "iptables-legacy", "ip6tables", "ip6tables-nft", "ip6tables-legacy");
    /** What the program's words consist of. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:,/\\[\\]!+-]+");
    /** The exit code where a rule isn't there; others mean that it couldn't be found out. */
    private static final int ABSENT = 1;

    private final String session;
    private final ProcessRemoval processes;

    NetworkRemoval(String session, ProcessRemoval processes) {
        this.session = session;
        this.processes = processes;
    }

    /** Deletes a namespace, and kills what is in it: nothing but the session's copy is. */
    void removeNamespace(String name) throws IOException, RemovalException, InterruptedException {
        requireOwn(name);
        Path file = Path.of("/run/netns", name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        processes.removeAllIn(file);
        run(List.of("ip", "netns", "delete", name));
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RemovalException("ip netns delete didn't delete it");
        }
    }

    /** Deletes a link. */
    void removeLink(long number, String name) throws IOException, RemovalException, InterruptedException {
        requireOwn(name);
        Optional<NetworkNamespace> network = NetworkNamespace.find(number);
        if (network.isEmpty() || !exists(network.get(), name)) {
            return;
        }
        HostCommand.Result deleted =
                HostCommand.run(LIMIT, network.get().command(List.of("ip", "link", "delete", "dev", name)));
        // the kernel may have deleted it meanwhile, with the namespace of its other end
        if (!deleted.isFine() && exists(network.get(), name)) {
            throw new RemovalException(deleted.lastLine());
        }
    }

    private static boolean exists(NetworkNamespace network, String name)
            throws IOException, RemovalException, InterruptedException {
        HostCommand.Result shown = HostCommand.run(LIMIT, network.command(List.of("ip", "-o", "link", "show")));
        if (!shown.isFine()) {
            throw new RemovalException("ip link: " + shown.lastLine());
        }
        return shown.output()
                .lines()
                .anyMatch(line -> line.contains(": " + name + "@") || line.contains(": " + name + ":"));
    }

    /** Deletes a rule as often as it is there. */
    void removeRule(long number, String program, List<String> words)
            throws IOException, RemovalException, InterruptedException {
        int comment = words.indexOf("--comment");
        if (!FILTERS.contains(program)
                || comment < 0
                || comment + 1 >= words.size()
                || !words.get(comment + 1).equals(comment(session))
                || !words.stream().allMatch(word -> WORD.matcher(word).matches())) {
            throw RemovalException.foreign("its entry isn't a rule of this session's: it was damaged");
        }
        Optional<NetworkNamespace> network = NetworkNamespace.find(number);
        if (network.isEmpty()) {
            return;
        }
        HostCommand.Result checked = filter(network.get(), program, words, "-C");
        while (checked.isFine()) {
            HostCommand.Result deleted = filter(network.get(), program, words, "-D");
            checked = filter(network.get(), program, words, "-C");
            // somebody else may have been faster
            if (!deleted.isFine() && checked.isFine()) {
                throw new RemovalException(program + ": " + deleted.lastLine());
            }
        }
        if (checked.code() != ABSENT) {
            throw new RemovalException(program + ": " + checked.lastLine());
        }
    }

    private static HostCommand.Result filter(
            NetworkNamespace network, String program, List<String> words, String action)
            throws IOException, InterruptedException {
        return HostCommand.run(LIMIT, network.command(words(program, words, action)));
    }

    private static List<String> words(String program, List<String> words, String action) {
        List<String> command = new ArrayList<>(List.of(program, "-w", "10"));
        for (String word : words) {
            command.add(word.equals("-A") || word.equals("-I") ? action : word);
        }
        return command;
    }

    /** The command that deletes a rule, of its entry's words. */
    static String byHand(List<String> words) {
        return words.size() < 2
                ? "?"
                : String.join(" ", words(words.get(1), words.subList(2, words.size()), "-D")) + "   # in network "
                        + words.get(0);
    }

    /** The comment that all rules of a session have. */
    static String comment(String session) {
        return "understudy:" + session;
    }

    private void requireOwn(String name) throws RemovalException {
        if (!name.matches("[a-z0-9-]+") || !name.contains(session)) {
            throw RemovalException.foreign("its name isn't one of this session's: its entry was damaged");
        }
    }

    private static void run(List<String> command) throws IOException, RemovalException, InterruptedException {
        HostCommand.Result result = HostCommand.run(LIMIT, command);
        if (!result.isFine()) {
            throw new RemovalException(result.lastLine());
        }
    }
}
