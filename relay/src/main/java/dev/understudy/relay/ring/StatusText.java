package dev.understudy.relay.ring;

import dev.understudy.relay.connect.TargetStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener's address and its production's, as lines of words between tabs. A line that can't be read is left out: the
 * last one may have been cut.
 */
final class StatusText {
    private static final InetSocketAddress UNKNOWN = new InetSocketAddress(0);

    private StatusText() {}

    static String write(InetSocketAddress address, List<TargetStatus> production) {
        StringBuilder text = new StringBuilder();
        text.append(address.getAddress().getHostAddress())
                .append('\t')
                .append(address.getPort())
                .append('\n');
        for (TargetStatus target : production) {
            text.append(target.set())
                    .append('\t')
                    .append(target.address())
                    .append('\t')
                    .append(target.up())
                    .append('\t')
                    .append(target.accepted())
                    .append('\t')
                    .append(target.failed())
                    .append('\n');
        }
        return text.toString();
    }

    /** Port 0 if there is none. */
    static InetSocketAddress address(String text) {
        String[] words = lines(text)[0].split("\t", -1);
        try {
            return words.length == 2
                    ? new InetSocketAddress(InetAddress.getByName(words[0]), Integer.parseInt(words[1]))
                    : UNKNOWN;
        } catch (UnknownHostException | IllegalArgumentException damaged) {
            return UNKNOWN;
        }
    }

    static List<TargetStatus> production(String text) {
        List<TargetStatus> all = new ArrayList<>();
        String[] lines = lines(text);
        for (int n = 1; n < lines.length; n++) {
            String[] words = lines[n].split("\t", -1);
            try {
                if (words.length == 5) {
                    boolean up = Boolean.parseBoolean(words[2]);
                    all.add(new TargetStatus(
                            words[0], words[1], up, Long.parseLong(words[3]), Long.parseLong(words[4])));
                }
            } catch (NumberFormatException damaged) {
                // left out
            }
        }
        return all;
    }

    private static String[] lines(String text) {
        int end = text.lastIndexOf('\n');
        return end < 0 ? new String[] {""} : text.substring(0, end).split("\n", -1);
    }
}
