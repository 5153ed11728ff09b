package dev.understudy.session.target.proc;

import dev.understudy.session.target.UnixPeer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The other ends of Unix sockets, by the output of {@code ss -xnH}: {@code /proc} doesn't show them. */
public final class UnixSockets {
    private static final Pattern ROW = Pattern.compile(
            "u_\\w{1,10}\\s+\\S+\\s+\\d+\\s+\\d+\\s+(\\S.{0,4096}?)\\s+(\\d{1,18})\\s+\\S+\\s+(\\d{1,18})\\s*");
    private static final int MOST_PEERS = 100;

    private UnixSockets() {}

    /** The peers of these sockets that aren't among them, by path; the rest of very many has the path "". */
    public static List<UnixPeer> peers(String output, Set<Long> own) {
        Map<Long, String> paths = new HashMap<>();
        List<Long> peers = new ArrayList<>();
        output.lines().map(ROW::matcher).filter(Matcher::matches).forEach(row -> {
            long socket = Long.parseLong(row.group(2));
            long peer = Long.parseLong(row.group(3));
            if (!own.contains(socket)) {
                paths.put(socket, row.group(1).equals("*") ? "" : row.group(1));
            } else if (peer != 0 && !own.contains(peer)) {
                peers.add(peer);
            }
        });
        Map<String, Integer> counts = new TreeMap<>();
        for (long peer : peers) {
            String path = paths.getOrDefault(peer, "");
            counts.merge(counts.size() < MOST_PEERS || counts.containsKey(path) ? path : "", 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(count -> new UnixPeer(count.getKey(), count.getValue()))
                .toList();
    }
}
