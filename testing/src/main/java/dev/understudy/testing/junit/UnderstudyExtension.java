package dev.understudy.testing.junit;

import dev.understudy.testing.FailureRule;
import dev.understudy.testing.ReportFolder;
import dev.understudy.testing.UnderstudyEnvironment;
import dev.understudy.testing.client.UnderstudyClient;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts an environment before the tests of a class, checks it after each, and closes it after all.
 *
 * <p>{@link Understudy} registers it. Where addresses are only known at run time, register it by hand:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final UnderstudyExtension understudy = new UnderstudyExtension(() -> new UnderstudyEnvironment()
 *         .upstream("orders=postgres://127.0.0.1:" + database.getPort())
 *         .production("released.jar", "--db=${orders}")
 *         .debug("target/service.jar", "--db=${orders}"));
 * }</pre>
 *
 * <p>Nested classes share the environment of the class around them.
 */
public final class UnderstudyExtension
        implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(UnderstudyExtension.class);

    private final @Nullable Supplier<UnderstudyEnvironment> given;
    private final Set<FailureRule> rules;

    /** For {@link Understudy}, which says what is started. */
    public UnderstudyExtension() {
        this.given = null;
        this.rules = EnumSet.noneOf(FailureRule.class);
    }

    /**
     * For an environment of one's own.
     *
     * @param environment makes it, not started; called once before the tests of a class
     * @param rules what fails a test; all rules if none is given
     */
    public UnderstudyExtension(Supplier<UnderstudyEnvironment> environment, FailureRule... rules) {
        this.given = environment;
        this.rules = rules.length == 0 ? EnumSet.allOf(FailureRule.class) : EnumSet.copyOf(List.of(rules));
    }

    private record Started(String owner, UnderstudyEnvironment environment, Set<FailureRule> rules) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        if (context.getStore(NAMESPACE).get(Started.class) != null) {
            return;
        }
        UnderstudyEnvironment environment;
        Set<FailureRule> all = EnumSet.noneOf(FailureRule.class);
        if (given == null) {
            Understudy wanted = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Understudy.class)
                    .orElseThrow(() -> new IllegalStateException(
                            context.getDisplayName() + ": nothing to start (expected: @Understudy on the class)"));
            environment = environment(wanted);
            all.addAll(List.of(wanted.rules()));
        } else {
            environment = given.get();
            all.addAll(rules);
        }
        environment.folder(
                ReportFolder.root().resolve(context.getRequiredTestClass().getName()));
        context.getStore(NAMESPACE).put(Started.class, new Started(context.getUniqueId(), environment, all));
        environment.start();
    }

    private static UnderstudyEnvironment environment(Understudy wanted) {
        UnderstudyEnvironment environment = new UnderstudyEnvironment()
                .production(wanted.production())
                .debug(wanted.debug())
                .protocol(wanted.protocol());
        for (String upstream : wanted.upstreams()) {
            environment.upstream(SystemProperties.fill(upstream));
        }
        for (String setting : wanted.settings()) {
            environment.setting(setting);
        }
        if (!wanted.noiseRules().isEmpty()) {
            environment.noiseRules(Path.of(wanted.noiseRules()));
        }
        if (!wanted.port().isEmpty()) {
            environment.port(Pattern.compile(wanted.port()));
        }
        return environment;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Started started = started(context);
        started.environment().check(started.rules());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Started started = context.getStore(NAMESPACE).get(Started.class, Started.class);
        if (started != null && started.owner().equals(context.getUniqueId())) {
            started.environment().close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == UnderstudyEnvironment.class || type == UnderstudyClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        UnderstudyEnvironment environment = started(context).environment();
        return parameter.getParameter().getType() == UnderstudyClient.class ? environment.client() : environment;
    }

    private static Started started(ExtensionContext context) {
        Started started = context.getStore(NAMESPACE).get(Started.class, Started.class);
        if (started == null) {
            throw new IllegalStateException(context.getDisplayName() + ": no environment (expected: a static field, or"
                    + " @Understudy on the class)");
        }
        return started;
    }
}
