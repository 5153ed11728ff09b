package dev.understudy.session.target.proc;

import java.util.OptionalLong;

/** When a process began, by its {@code stat} file. With the pid, it names one process. */
public final class ProcessStart {
    /** Counted from the field behind the command's name, which is the third one. */
    private static final int START_TIME = 22 - 3;

    private ProcessStart() {}

    /**
     * Reads the file's text.
     *
     * @return clock ticks since the machine's start; empty if there are none
     */
    public static OptionalLong ticks(String stat) {
        int name = stat.lastIndexOf(')'); // the name may hold blanks and brackets
        String[] fields = stat.substring(name + 1).strip().split(" ", START_TIME + 2);
        try {
            return name < 0 || fields.length <= START_TIME
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseUnsignedLong(fields[START_TIME]));
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
