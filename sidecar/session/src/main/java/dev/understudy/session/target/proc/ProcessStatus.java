package dev.understudy.session.target.proc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code /proc/PID/status} shows.
 *
 * @param state the kernel's letter, such as S for a process that sleeps and Z for a zombie
 * @param threadGroup the process that a thread belongs to: itself for a process
 * @param uid effective user
 * @param gid effective group
 * @param threads how many there are
 * @param residentBytes memory in RAM; 0 for a zombie
 */
public record ProcessStatus(char state, long threadGroup, int uid, int gid, int threads, long residentBytes) {
    private static final int EFFECTIVE = 1;

    /** Reads the file's text; empty if it has no state, group or user. */
    public static Optional<ProcessStatus> parse(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().limit(500).forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        String state = values.getOrDefault("State", "");
        long group = number(values, "Tgid", 0);
        long uid = number(values, "Uid", EFFECTIVE);
        long gid = number(values, "Gid", EFFECTIVE);
        if (state.isEmpty() || group <= 0 || uid < 0 || gid < 0) {
            return Optional.empty();
        }
        return Optional.of(new ProcessStatus(
                state.charAt(0),
                group,
                (int) uid,
                (int) gid,
                (int) Math.max(1, Math.min(number(values, "Threads", 0), Integer.MAX_VALUE)),
                Math.min(Math.max(0, number(values, "VmRSS", 0)), Long.MAX_VALUE >> 10) << 10));
    }

    /** A zombie, or one that is being removed. */
    public boolean hasEnded() {
        return state == 'Z' || state == 'X' || state == 'x';
    }

    private static long number(Map<String, String> values, String name, int index) {
        String[] words = values.getOrDefault(name, "").split("\\s+", -1);
        try {
            return index < words.length ? Long.parseLong(words[index]) : -1;
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
