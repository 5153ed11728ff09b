package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.outcome.OutcomeSettings;
import dev.understudy.session.program.ProgramFiles;
import dev.understudy.session.program.RecordingLimits;
import dev.understudy.session.program.SidecarDuties;
import dev.understudy.session.program.SourceArchive;
import dev.understudy.session.renewal.RenewalPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a session is carried out.
 *
 * @param files the programs
 * @param limits what the copy may cost
 * @param poolPatience how long the copy waits for production's pools to renew the connections that aren't recorded
 * @param startLimit how long a copy may take until it listens
 * @param debugger the port at which the copy takes a debugger; 0 for none
 * @param lasting how long the copy is observed; null for until the session is stopped
 * @param untilCertain whether a certain suspect ends it before that
 * @param drain how long production's connections may go on through the session's programs at the end
 * @param renewal when a fresh copy is made
 * @param page where the report goes
 * @param reportOptions further ones of {@code understudy report}
 * @param outcome where the outcome goes besides
 * @param recording what of production's traffic is kept before there is a copy; null for nothing
 * @param sources of what the service runs, for the console
 */
public record DebugSettings(
        ProgramFiles files,
        CloneLimits limits,
        Duration poolPatience,
        Duration startLimit,
        int debugger,
        @Nullable Duration lasting,
        boolean untilCertain,
        Duration drain,
        RenewalPlan renewal,
        Path page,
        List<String> reportOptions,
        OutcomeSettings outcome,
        @Nullable RecordingLimits recording,
        List<SourceArchive> sources) {
    public DebugSettings {
        reportOptions = List.copyOf(reportOptions);
        sources = List.copyOf(sources);
    }

    /** What the sidecar does besides relaying. */
    SidecarDuties duties() {
        return new SidecarDuties(drain, renewal, recording, sources);
    }
}
