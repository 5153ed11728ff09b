package dev.understudy.session.program;

import java.util.List;

/**
 * The user and the group that a session's programs run as: numbers that nobody else on the machine has.
 *
 * <p>The range is the one that systemd gives to services without a user of their own, which no distribution gives to
 * anybody else.
 *
 * @param id of the user and of the group
 */
public record ProgramUser(int id) {
    private static final int FIRST = 61184;
    private static final int LAST = 65519;

    public ProgramUser {
        if (id < FIRST || id > LAST) {
            throw new IllegalArgumentException("program user: " + id + " (expected: " + FIRST + " to " + LAST + ")");
        }
    }

    /** The one of a session; two sessions have different ones, most likely. */
    public static ProgramUser of(String session) {
        return new ProgramUser(FIRST + Math.floorMod(session.hashCode(), LAST - FIRST + 1));
    }

    /** What starts a program as this user, without any privilege; the program's words follow. */
    public List<String> words() {
        return List.of(
                "setpriv",
                "--reuid=" + id,
                "--regid=" + id,
                "--clear-groups",
                "--inh-caps=-all",
                "--bounding-set=-all",
                "--no-new-privs",
                "--");
    }
}
