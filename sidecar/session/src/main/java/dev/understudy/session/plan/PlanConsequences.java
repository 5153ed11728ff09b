package dev.understudy.session.plan;

import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.verdict.CopyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a plan, in sentences.
 *
 * @param copyHas what the copy begins with
 * @param copyLacks what it doesn't have of production
 * @param changes what the session makes on this machine; all is removed at its end
 */
record PlanConsequences(List<String> copyHas, List<String> copyLacks, List<String> changes) {
    /** Nothing follows if no driver can make a copy. */
    static PlanConsequences of(SessionPlan plan) {
        Optional<DriverPlan> chosen = plan.chosen();
        if (chosen.isEmpty()) {
            return new PlanConsequences(List.of(), List.of(), List.of());
        }
        CopyState state = chosen.get().state();
        TargetSurvey survey = plan.target().survey();
        return new PlanConsequences(has(state, survey), lacks(state, survey), changes(plan, state, survey));
    }

    private static List<String> has(CopyState state, @Nullable TargetSurvey survey) {
        List<String> has = new ArrayList<>();
        switch (state) {
            case LIVE -> {
                has.add("Heap, threads and open files, as they are at one moment.");
                if (survey != null && !survey.files().isEmpty()) {
                    has.add("Private copies of " + count(survey.files().size(), "file")
                            + ": what it writes stays in the copy.");
                }
            }
            case RESTARTED -> has.add("What its image or disk holds. Its memory begins anew.");
            case COLD -> has.add("Nothing of production's memory: the command is started anew.");
        }
        has.add("Addresses of its own in a network where only Understudy answers.");
        return has;
    }

    private static List<String> lacks(CopyState state, @Nullable TargetSurvey survey) {
        List<String> lacks = new ArrayList<>();
        if (state != CopyState.LIVE) {
            lacks.add("Caches, sessions, pools and counters that production has in memory.");
        }
        if (state == CopyState.RESTARTED) {
            lacks.add("Recorded replies to what it asks upstreams at its start: that of production wasn't recorded."
                    + " Each is counted as a miss.");
        }
        if (survey == null) {
            lacks.add("Real upstreams, but for live ones: calls are answered from recorded replies.");
            return lacks;
        }
        int upstreams = survey.recordedUpstreams().stream()
                .mapToInt(UpstreamAddress::connections)
                .sum();
        if (upstreams > 0) {
            lacks.add("The " + count(upstreams, "connection")
                    + " to upstreams: its pools connect anew, and are answered" + " from recorded replies.");
            lacks.add("What production does on these connections is recorded only once its pools have renewed them.");
        }
        EncryptedUpstreams.notes(survey.upstreams()).forEach(note -> lacks.add("Replies: " + note + "."));
        int clients = survey.copiedPorts().stream()
                .mapToInt(port -> port.connections())
                .sum();
        if (clients > 0) {
            lacks.add("The " + count(clients, "connection") + " of clients: they stay production's alone.");
        }
        if (state == CopyState.LIVE) {
            lacks.add("Transactions and requests that are under way at that moment.");
        }
        if (!survey.unixPeers().isEmpty()) {
            lacks.add("Its connections by Unix sockets, to "
                    + count(survey.unixPeers().size(), "peer") + ".");
        }
        return lacks;
    }

    private static List<String> changes(SessionPlan plan, CopyState state, @Nullable TargetSurvey survey) {
        List<String> changes = new ArrayList<>();
        if (survey != null) {
            int rules = survey.copiedPorts().size() + survey.recordedUpstreams().size();
            changes.add("Rules of the packet filter in the target's network: new connections to "
                    + count(survey.copiedPorts().size(), "port") + " and to "
                    + count(survey.recordedUpstreams().size(), "upstream")
                    + " pass through Understudy" + (rules == 0 ? " (none now)" : "")
                    + ". Existing ones stay untouched.");
        }
        if (survey == null) {
            changes.add("Rules of the packet filter: its user's new connections to "
                    + count(plan.target().upstreams().size(), "upstream")
                    + ", and new connections to its ports, pass through Understudy.");
            changes.add("The service itself, which ends with the session.");
        }
        LiveUpstreams.warnings(survey == null ? plan.target().upstreams() : survey.upstreams())
                .forEach(warning -> changes.add("Warning: " + warning + "."));
        changes.add("A network namespace and a pair of links for the copy.");
        changes.add("Processes: the sidecar, the aggregator, and the copy.");
        if (survey != null && state == CopyState.LIVE) {
            changes.add("A snapshot below " + MaskedCommand.text(plan.images().toString()) + ", about "
                    + megabytes(survey.residentBytes()) + ", readable by root only. It holds the process's secrets, and"
                    + " is deleted once the copy runs.");
        }
        changes.add("A session file that lists all of this, and a folder for the report.");
        return changes;
    }

    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    static String megabytes(long bytes) {
        return ((bytes + (1 << 20) - 1) >> 20) + " MB";
    }
}
