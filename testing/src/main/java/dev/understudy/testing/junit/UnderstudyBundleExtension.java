package dev.understudy.testing.junit;

import dev.understudy.testing.BundleReplay;
import dev.understudy.testing.BundleResult;
import dev.understudy.testing.FailureRule;
import dev.understudy.testing.ReportFolder;
import dev.understudy.testing.client.ExchangeVerdict;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Replays the bundle of an {@link UnderstudyBundle}, and gives each of its exchanges a test. */
public final class UnderstudyBundleExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), UnderstudyBundle.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        UnderstudyBundle wanted = AnnotationSupport.findAnnotation(context.getTestMethod(), UnderstudyBundle.class)
                .orElseThrow();
        Set<FailureRule> rules = BundleResult.rules(List.of(wanted.rules()));
        BundleReplay replay = new BundleReplay(file(wanted.value()))
                .service(wanted.service())
                .without(wanted.without())
                .speed(wanted.speed())
                .folder(ReportFolder.root()
                        .resolve(context.getRequiredTestClass().getName())
                        .resolve(context.getRequiredTestMethod().getName()));
        if (!wanted.key().isEmpty()) {
            replay.key(file(wanted.key()));
        }
        if (!wanted.signedBy().isEmpty()) {
            replay.signedBy(file(wanted.signedBy()));
        }
        BundleResult result = replay.run();
        result.require(result.problems(rules));
        return result.exchanges().stream().map(exchange -> new Replayed(result, exchange, rules));
    }

    private static Path file(String named) {
        String name = SystemProperties.fill(named);
        Path file = Path.of(name);
        if (Files.exists(file)) {
            return file;
        }
        URL resource = Thread.currentThread().getContextClassLoader().getResource(name);
        if (resource == null || !resource.getProtocol().equals("file")) {
            throw new IllegalArgumentException(file.toAbsolutePath()
                    + ": no such file (expected: one, or a resource in a folder of the test's class path)");
        }
        try {
            return Path.of(URI.create(resource.toString()));
        } catch (IllegalArgumentException | SecurityException odd) {
            throw new IllegalArgumentException(resource + ": no file", odd);
        }
    }

    /** One exchange's test. */
    private record Replayed(BundleResult result, ExchangeVerdict exchange, Set<FailureRule> rules)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return exchange.request() + " (exchange " + exchange.exchange() + ')';
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of((BeforeEachCallback) context -> compare(), new Parameters(result, exchange));
        }

        private void compare() {
            if (BundleResult.breaks(exchange, rules)) {
                result.require(BundleResult.told(exchange));
            }
        }
    }

    private record Parameters(BundleResult result, ExchangeVerdict exchange) implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == ExchangeVerdict.class || type == BundleResult.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == BundleResult.class ? result : exchange;
        }
    }
}
