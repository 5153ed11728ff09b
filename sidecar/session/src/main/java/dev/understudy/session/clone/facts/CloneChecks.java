package dev.understudy.session.clone.facts;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The checks of one way of making a copy, in the order in which they are shown, and those that all ways have. */
public abstract class CloneChecks {
    private final List<CloneCheck> checks = new ArrayList<>();

    /** All so far. */
    protected final List<CloneCheck> checks() {
        return checks;
    }

    /** Refuses a process that has ended, with what to choose instead; whether it runs. */
    protected final boolean isSame(ProcessFacts process, String ended) {
        if (!process.isSame()) {
            refuse("process", ended);
        }
        return process.isSame();
    }

    /** Programs that aren't there, and the packages that have them. */
    protected final void programs(List<String> missing, String packages) {
        check(
                "programs",
                missing.isEmpty(),
                "all there",
                String.join(", ", missing) + ": not found; install " + packages);
    }

    /** Whether the copy can have a file system of its own. */
    protected final void overlay(MachineFacts machine) {
        check(
                "overlay",
                machine.hasOverlay(),
                "the copy's writes stay in the copy",
                "the kernel has no overlay file system, so the copy would write production's files; modprobe overlay");
    }

    /** Whether the copy can be limited. */
    protected final void copyLimits(MachineFacts machine) {
        prefer(
                "copy-limits",
                machine.group().parent().isPresent(),
                "memory and processor weight, by a control group of its own",
                "no control group can be made here: the copy is only nice 10, its memory unlimited");
    }

    /** Passes with {@code finding}, or refuses with {@code problem}. */
    protected final void check(String name, boolean fine, String finding, String problem) {
        checks.add(new CloneCheck(name, fine ? Outcome.PASS : Outcome.REFUSE, fine ? finding : problem));
    }

    protected final void pass(String name, String finding) {
        checks.add(new CloneCheck(name, Outcome.PASS, finding));
    }

    protected final void warn(String name, String finding) {
        checks.add(new CloneCheck(name, Outcome.WARN, finding));
    }

    /** Warns unless all is {@code fine}. */
    protected final void prefer(String name, boolean fine, String finding, String lack) {
        checks.add(new CloneCheck(name, fine ? Outcome.PASS : Outcome.WARN, fine ? finding : lack));
    }

    protected final void refuse(String name, String finding) {
        checks.add(new CloneCheck(name, Outcome.REFUSE, finding));
    }
}
