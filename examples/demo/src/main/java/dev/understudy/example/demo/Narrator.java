package dev.understudy.example.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Tells the user what is going on: on a terminal with a moving progress bar, elsewhere in plain lines only. */
final class Narrator {
    private static final int BAR = 40;

    private final PrintStream out;
    private final boolean terminal;
    private final long begun = System.nanoTime();
    private int lastTenth = -1;
    private int drawn;

    Narrator(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * A narrator that draws only where somebody sees it: the script that starts us looks, since no JDK before 22 can
     * tell whether the standard output is a terminal.
     */
    static Narrator onStandardOutput() {
        String kind = System.getenv().getOrDefault("TERM", "dumb");
        return new Narrator(System.out, Boolean.getBoolean("understudy.terminal") && !kind.equals("dumb"));
    }

    synchronized void say(String what) {
        erase();
        out.println(String.format(Locale.ROOT, "%6.1f s  %s", (System.nanoTime() - begun) / 1e9, what));
        out.flush();
    }

    synchronized void print(List<String> lines) {
        erase();
        lines.forEach(out::println);
        out.flush();
    }

    /** Shows how much of a whole is done: redrawn in place on a terminal, elsewhere a line for each tenth. */
    synchronized void progress(String what, long done, long whole) {
        double share = whole <= 0 ? 1 : Math.min(1.0, done / (double) whole);
        if (terminal) {
            int filled = (int) (share * BAR);
            String line = "          [" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " + done + " of " + whole
                    + " " + what;
            out.print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
            out.flush();
            drawn = line.length();
            return;
        }
        int tenth = (int) (share * 10);
        if (tenth != lastTenth) {
            lastTenth = tenth;
            say(done + " of " + whole + " " + what);
        }
    }

    /** Shows something short that changes; only on a terminal. */
    synchronized void status(String what) {
        if (terminal) {
            out.print("\r          " + what + " ".repeat(Math.max(0, drawn - what.length())));
            out.flush();
            drawn = Math.max(drawn, what.length() + 10);
        }
    }

    private void erase() {
        if (drawn > 0) {
            out.print("\r" + " ".repeat(drawn) + "\r");
            drawn = 0;
        }
    }
}
