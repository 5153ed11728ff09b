package dev.understudy.session.plan;

import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is debugged.
 *
 * @param name in a line, such as {@code process 4711} or {@code container shop}
 * @param survey of its process; null if it is a command that isn't started yet
 * @param container that the process is in; null if it wasn't named by one
 * @param upstreams of a command that isn't started yet: those that are recorded from its start on
 * @param command that is to be started; empty if there is a process. It may hold secrets: never shown as it is
 */
public record PlannedTarget(
        String name,
        @Nullable TargetSurvey survey,
        @Nullable ContainerFacts container,
        List<UpstreamAddress> upstreams,
        List<String> command) {
    /** One without further upstreams. */
    public PlannedTarget(
            String name, @Nullable TargetSurvey survey, @Nullable ContainerFacts container, List<String> command) {
        this(name, survey, container, List.of(), command);
    }

    public PlannedTarget {
        upstreams = List.copyOf(upstreams);
        command = List.copyOf(command);
    }
}
