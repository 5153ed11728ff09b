package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.program.ProgramFiles;
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
 * @param lasting how long the copy is observed; null for until the session is stopped
 * @param drain how long production's connections may go on through the session's programs at the end
 * @param renewal when a fresh copy is made
 * @param page where the report goes
 * @param reportOptions further ones of {@code understudy report}
 */
public record DebugSettings(
        ProgramFiles files,
        CloneLimits limits,
        Duration poolPatience,
        Duration startLimit,
        @Nullable Duration lasting,
        Duration drain,
        RenewalPlan renewal,
        Path page,
        List<String> reportOptions) {
    public DebugSettings {
        reportOptions = List.copyOf(reportOptions);
    }
}
