package dev.understudy.session.program;

import dev.understudy.session.renewal.RenewalPlan;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session's sidecar does besides relaying.
 *
 * @param drain how long production's connections may go on once it is released
 * @param renewal when it asks for a fresh copy
 * @param recording what it keeps of its clients' traffic; null for nothing
 * @param sources which it shows of the service
 */
public record SidecarDuties(
        Duration drain, RenewalPlan renewal, @Nullable RecordingLimits recording, List<SourceArchive> sources) {
    public SidecarDuties {
        sources = List.copyOf(sources);
    }
}
