package dev.understudy.session.network;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shell program that sets redirects, waits until the session or one of its programs ends, and deletes them.
 *
 * <p>One process does both, so that rules can't be set after they were deleted. It waits without polling: the kernel
 * closes the session's pipe, and gives up the programs' locks.
 */
final class RedirectScript {
    private static final String NAT = "'*nat'";

    private final Map<PacketFilter, List<FilterRule>> rules;
    private final List<Path> locks;

    RedirectScript(Map<PacketFilter, List<FilterRule>> rules, List<Path> locks) {
        this.rules = new LinkedHashMap<>(rules);
        this.locks = List.copyOf(locks);
    }

    String text() {
        List<String> set = new ArrayList<>();
        List<String> delete = new ArrayList<>();
        rules.forEach((filter, each) -> {
            String insertions = words(each.stream().map(FilterRule::insertion).toList());
            String deletions = words(each.stream().map(FilterRule::deletion).toList());
            set.add(lines(insertions) + restore(filter));
            delete.add(lines(deletions) + restore(filter) + " || for rule in " + deletions + "; do " + filter.program()
                    + " -w 10 -t nat $rule; done");
        });
        StringBuilder waits = new StringBuilder("(cat <&3; echo the session) & ");
        for (Path lock : locks) {
            waits.append("(flock -s ")
                    .append(quoted(lock.toString()))
                    .append(" true; echo process ")
                    .append(lock.toString().replaceAll(".*\\.", ""))
                    .append(") & ");
        }
        return String.join(
                "\n",
                "trap '' HUP INT PIPE",
                "renice -n -10 -p $$ >/dev/null 2>&1",
                "remove() { { " + String.join("\n", delete) + "\n} >/dev/null 2>&1; }",
                "{ " + String.join(" && ", set) + "; } || { remove; exit 1; }",
                "echo inserted",
                "{ " + waits + "wait; } 3<&0 | { read -r who; remove; echo \"removed $who\"; kill -9 0; }");
    }

    private static String restore(PacketFilter filter) {
        return filter.restore() + " -w 10 --noflush";
    }

    private static String lines(String words) {
        return "printf '%s\\n' " + NAT + " " + words + " COMMIT | ";
    }

    private static String words(List<String> lines) {
        StringBuilder words = new StringBuilder();
        lines.forEach(line -> words.append(words.length() == 0 ? "" : " ").append(quoted(line)));
        return words.toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
