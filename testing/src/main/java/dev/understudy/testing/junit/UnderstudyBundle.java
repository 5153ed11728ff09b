package dev.understudy.testing.junit;

import dev.understudy.testing.FailureRule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Makes a test of each request in a bundle: the service is started against the bundle once, and a test fails whose
 * reply isn't the recorded one.
 *
 * <pre>{@code
 * class OrdersRegressionTest {
 *     @UnderstudyBundle(
 *             value = "src/test/resources/failure.bundle",
 *             service = {"target/service.jar", "--server.port=${port}", "--rates=http://${rates}"})
 *     void reply_isTheRecordedOne() {}
 * }
 * }</pre>
 *
 * <p>The method may look further, at an {@code ExchangeVerdict} or the whole {@code BundleResult} as its parameter. It
 * runs after its reply was compared.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(UnderstudyBundleExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
public @interface UnderstudyBundle {
    /** The bundle: a file, or the name of a resource on the test's class path; {@code ${name}} is a system property. */
    String value();

    /**
     * How the service is started: options of the JVM, a jar or class, and arguments. {@code ${port}} is where it has to
     * listen, {@code ${name}} the {@code host:port} of that upstream of the bundle.
     */
    String[] service();

    /** The key that it is encrypted with: a file; none if empty. {@code ${name}} is a system property. */
    String key() default "";

    /** The public key of who has to have signed it: a file; nobody has to if empty. */
    String signedBy() default "";

    /** Upstreams of the bundle that the service isn't given. */
    String[] without() default {};

    /** How many times the recorded pace, above 0, to 1000. */
    double speed() default 1;

    /**
     * What fails: {@code DIFFERENT} and {@code NOT_COMPARED} a test, {@code NOTHING} and {@code MISSED} all of them
     * together. Other rules need a production that runs.
     */
    FailureRule[] rules() default {
        FailureRule.DIFFERENT, FailureRule.NOT_COMPARED, FailureRule.NOTHING, FailureRule.MISSED
    };
}
