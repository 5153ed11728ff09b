package dev.understudy.maven;

import dev.understudy.testing.BundleReplay;
import dev.understudy.testing.BundleResult;
import dev.understudy.testing.FailureRule;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Starts the build's service against a bundle, compares its replies with the recorded ones, and fails where they
 * differ. The verdicts, a summary in Markdown and the log stay in a folder.
 */
@Mojo(name = "replay", defaultPhase = LifecyclePhase.INTEGRATION_TEST, threadSafe = true)
public final class ReplayMojo extends AbstractMojo {
    /** The bundle, as {@code understudy bundle create} makes it. */
    @Parameter(property = "understudy.bundle", required = true)
    private File bundle = new File("");

    /**
     * How the service is started: options of the JVM, its jar, and arguments, with commas between them. In each,
     * <code>{port}</code> is where it has to listen, and <code>{upstream:NAME}</code> the {@code host:port} of an
     * upstream of the bundle.
     */
    @Parameter(property = "understudy.service", required = true)
    private List<String> service = List.of();

    /** The key that the bundle is encrypted with. */
    @Parameter(property = "understudy.key")
    private @Nullable File key;

    /** The public key of who has to have signed the bundle. */
    @Parameter(property = "understudy.signedBy")
    private @Nullable File signedBy;

    /** Upstreams of the bundle that the service isn't given. */
    @Parameter(property = "understudy.without")
    private List<String> without = List.of();

    /** How many times the recorded pace, above 0, to 1000. */
    @Parameter(property = "understudy.speed", defaultValue = "1")
    private double speed = 1;

    /**
     * What fails the build: {@code DIFFERENT} and {@code NOT_COMPARED} replies, {@code NOTHING} that was compared,
     * {@code MISSED} upstream calls.
     */
    @Parameter(property = "understudy.rules", defaultValue = "DIFFERENT,NOT_COMPARED,NOTHING,MISSED")
    private List<FailureRule> rules = List.of();

    /** Where the verdicts ({@code bundle.json}), the summary ({@code summary.md}) and the log go. */
    @Parameter(property = "understudy.folder", defaultValue = "${project.build.directory}/understudy/replay")
    private File folder = new File("target");

    /** Replays nothing. */
    @Parameter(property = "understudy.skip")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("skipped, as understudy.skip says");
            return;
        }
        // after the commas of a list of several lines there are more spaces than are meant
        String[] words = service.stream().map(String::strip).toArray(String[]::new);
        if (Arrays.stream(words).noneMatch(word -> word.endsWith(".jar"))) {
            throw new MojoExecutionException("service: " + service + " (expected: a jar among its words)");
        }
        Set<FailureRule> counting;
        BundleResult result;
        try {
            counting = BundleResult.rules(rules);
            result = replay().service(words).run();
        } catch (IllegalStateException | IllegalArgumentException | java.io.UncheckedIOException notReplayed) {
            throw new MojoExecutionException(String.valueOf(notReplayed.getMessage()), notReplayed);
        }
        Map<String, Long> verdicts = new TreeMap<>(result.verdicts());
        getLog().info(bundle + ": " + verdicts + "; see " + folder.toPath().resolve("summary.md"));
        try {
            result.check(counting);
        } catch (AssertionError findings) {
            throw new MojoFailureException(String.valueOf(findings.getMessage()), findings);
        }
    }

    private BundleReplay replay() {
        BundleReplay replay = new BundleReplay(bundle.toPath())
                .without(without.toArray(String[]::new))
                .speed(speed)
                .folder(folder.toPath())
                .programs(folder.toPath().resolveSibling("programs"));
        if (key != null) {
            replay.key(key.toPath());
        }
        if (signedBy != null) {
            replay.signedBy(signedBy.toPath());
        }
        return replay;
    }
}
