package dev.understudy.session.doctor;

import dev.understudy.session.ledger.SessionSummary;
import dev.understudy.session.ledger.Sessions;
import java.io.IOException;
import java.util.List;

/** Whether sessions that ended have left something: a redirect refuses connections long after its session. */
final class SessionHealth {
    private SessionHealth() {}

    static HealthFinding left(String name, Sessions sessions) throws IOException {
        List<String> ended = sessions.list().stream()
                .filter(session -> session.state() == SessionSummary.State.ENDED)
                .map(SessionSummary::id)
                .toList();
        return ended.isEmpty()
                ? HealthFinding.ok(name, "nothing, by any session that has ended")
                : HealthFinding.warn(
                        name,
                        "processes, redirects or files, by sessions that have ended: " + String.join(", ", ended),
                        "understudy debug --list shows what; understudy debug --undo ID removes it");
    }
}
