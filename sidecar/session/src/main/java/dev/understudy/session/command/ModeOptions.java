package dev.understudy.session.command;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.session.outcome.OutcomeSettings;
import dev.understudy.session.trigger.RulesFile;
import dev.understudy.session.trigger.WatchRules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about when a copy is made, how long it is observed, and where the outcome goes. */
final class ModeOptions {
    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = "Makes no copy until a rule of this file fires: an alert, a share of errors, a latency, a"
                    + " status, a text in replies or in a log, or a time. What clients sent before is kept, and played"
                    + " to a copy without production's memory. With a running process or container.")
    private @Nullable Path rules;

    @Option(
            names = "--until-certain",
            description = "Ends the session as soon as the first suspect is certain: first at three looks in a row,"
                    + " with 20 failing exchanges, and clearly above chance. With --for, after that time at most.")
    private boolean untilCertain;

    @Option(
            names = "--outcome",
            paramLabel = "DIRECTORY",
            description = "Gets a directory for each outcome: report, suspects, and a summary as JSON.")
    private @Nullable Path outcome;

    @Option(
            names = "--webhook",
            paramLabel = "URL",
            description = "Gets the summary by POST, at most three times, until it answers with 2xx.")
    private @Nullable URI webhook;

    @Option(
            names = "--trace",
            paramLabel = "URL",
            description = "An OTLP/HTTP receiver, such as http://127.0.0.1:4318: gets a span for each outcome, with"
                    + " the suspects as events.")
    private @Nullable URI trace;

    /** Whether a certain suspect ends the session. */
    boolean untilCertain() {
        return untilCertain;
    }

    /** Where outcomes go by the options; what isn't given there is the file's. */
    OutcomeSettings outcome(OutcomeSettings file) throws IOException {
        return new OutcomeSettings(
                outcome == null ? file.folder() : outcome.toAbsolutePath(),
                webhook == null ? file.webhook() : checked("--webhook", webhook),
                trace == null ? file.otlp() : checked("--trace", trace));
    }

    private static URI checked(String option, URI uri) throws IOException {
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!isHttp || uri.getHost() == null) {
            throw new IOException(option + ": " + uri + " (expected: http://HOST:PORT/…, or https)");
        }
        return uri;
    }

    /** The rules; empty if no file is named. */
    Optional<WatchRules> rules() throws IOException {
        if (rules == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(RulesFile.read(rules));
        } catch (ConfigException wrong) {
            throw new IOException("--rules: " + String.join("\n  ", wrong.problems()), wrong);
        }
    }
}
